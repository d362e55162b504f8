import { Schema } from 'mongoose';
import type { DeadLetter } from '#core';
import { schemaOptions } from './schema-options.ts';

/** A dead letter as MongoDB keeps it; `_id` is `<collection>/<id>`. */
export interface DeadLetterDocument extends Omit<DeadLetter, 'command'> {
  _id: string;
  /** JSON: a command may hold any names, and be nested deeper than MongoDB takes. */
  command?: string;
}

export const deadLetterSchema = new Schema<DeadLetterDocument>(
  {
    _id: { type: String, required: true },
    collection: String,
    id: { type: String, required: true },
    subscription: String,
    kind: { type: String, required: true },
    fragment: Schema.Types.Mixed,
    command: String,
    violations: { type: [Schema.Types.Mixed], required: true },
    at: { type: Date, required: true },
    isPartial: Boolean,
  },
  { ...schemaOptions, suppressReservedKeysWarning: true },
);
deadLetterSchema.index({ id: 1 });
deadLetterSchema.index({ 'violations.rule': 1, collection: 1, subscription: 1 });

/** The dead letter that a document stands for. */
export function toDeadLetter({ _id, command, ...rest }: DeadLetterDocument): DeadLetter {
  return {
    ...rest,
    ...(command !== undefined && { command: JSON.parse(command) as NonNullable<DeadLetter['command']> }),
  };
}
