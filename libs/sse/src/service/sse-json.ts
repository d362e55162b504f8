import { describeItem, fieldsOfPayload } from '#xml';
import type { ItemDescription, ItemFields } from '#xml';
import type { SseContent } from './sse-content.ts';
import type { Conflict, Modification } from '../engine/item.ts';

/** A modification that lost (SSE 5.2), with the item as it left it, if that is known. */
interface SseConflictJson extends ItemFields, ItemDescription, Pick<Modification, 'when' | 'by'> {
  readonly version: number;
  readonly deleted?: boolean;
}

/** An SSE item as the HTTP interface and the command line show it. */
export interface SseItemJson extends ItemFields, ItemDescription {
  readonly id: string;
  readonly deleted: boolean;
  /**
   * In a collection that has an order (SSE 3.2): the id of the item that it stands in, null below the root.
   */
  readonly parent?: string | null;
  readonly sync: {
    readonly version: number;
    readonly conflict: boolean;
    /** The most recent modification first. */
    readonly history: readonly Pick<Modification, 'when' | 'by'>[];
  };
  /** Their places are the numbers that `resolve` takes. */
  readonly conflicts: readonly SseConflictJson[];
}

/** The JSON form of an SSE item with its conflicts. */
export function sseItemJson({ sync, data, conflicts, position }: SseContent): SseItemJson {
  const { id, deleted, version, conflict, history } = sync;
  return {
    id,
    ...fieldsOfPayload(data),
    ...describeItem(data),
    deleted,
    ...(position && { parent: position.parent ?? null }),
    sync: { version, conflict, history: history.map(({ when, by }) => ({ when, by })) },
    conflicts: conflicts.map(conflictJson),
  };
}

function conflictJson({ version, when, by, item }: Conflict<SseContent['data']>): SseConflictJson {
  if (item === undefined) return { version, when, by };
  const { sync, data } = item;
  return { version, when, by, deleted: sync.deleted, ...fieldsOfPayload(data), ...describeItem(data) };
}
