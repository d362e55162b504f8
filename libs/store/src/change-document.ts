import { Schema } from 'mongoose';
import type { CollectionKey } from '#core';
import { idOf, keyOf } from './key.ts';
import { schemaOptions } from './schema-options.ts';

/** A block of changes as MongoDB keeps it; `_id` is `<collection>/<first, 16 digits>`. */
export interface ChangeDocument {
  _id: string;
  /** The sequence of its last change. */
  last: number;
  /** Each event as JSON, which is what it is to the world. */
  events: readonly string[];
  /** The ids of feeds of a tree with another title or head; absent if there are none. */
  heads?: readonly string[];
  at: Date;
}

export const changeSchema = new Schema<ChangeDocument>(
  {
    _id: { type: String, required: true },
    last: { type: Number, required: true },
    events: { type: [String], required: true },
    heads: { type: [String], default: undefined },
    at: { type: Date, required: true },
  },
  schemaOptions,
);

/** The key of the block that begins with a sequence. */
export function blockKey(collection: CollectionKey, first: number): string {
  return keyOf(collection, String(first).padStart(16, '0'));
}

/** The sequence that a block with this key begins with. */
export function firstOf(key: string): number {
  return Number(idOf(key));
}
