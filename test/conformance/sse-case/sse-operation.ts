import type { Sharing } from '#xml';
import type { ExpectedViolation } from '../conformance-case.ts';
import type { SubscribeOperation } from '../subscribe.ts';
import type { SsePublishOperation } from './publish.ts';

/** Who edits; one of the two may be missing (2.4). */
interface Editor {
  readonly id: string;
  readonly when?: string;
  readonly by?: string;
  /** How many `sx:update` stay (4.2); all if absent. */
  readonly updatesKept?: number;
}

/**
 * Where an item is put: below which one, the root if absent, and before which of those below it, counted
 * from 0, last if absent.
 */
export interface CasePlace {
  readonly parent?: string;
  readonly index?: number;
}

/** Whether the order of RSS items counts; that of outlines always does. */
interface Order {
  readonly ordered?: boolean;
}

export type SseItemsOperation = Order &
  (
    | { readonly operation: 'read'; readonly expected?: { readonly sharing?: Sharing } }
    | ({ readonly operation: 'create'; readonly deleted?: boolean } & Editor & CasePlace)
    | ({ readonly operation: 'update' | 'delete' | 'undelete' } & Editor)
    | ({ readonly operation: 'move' } & Editor & CasePlace)
    | ({ readonly operation: 'resolve'; readonly keep: 'winner' | { readonly conflict: number } } & Editor)
    | { readonly operation: 'merge' }
    | { readonly operation: 'detect-cycles'; readonly parents: Readonly<Record<string, string>> }
  );

export type SseOperation =
  | {
      readonly operation: 'validate';
      readonly expected: { readonly violations: readonly ExpectedViolation[] };
    }
  | (SubscribeOperation & Order & { readonly format?: 'rss' | 'opml' })
  | SsePublishOperation
  | SseItemsOperation;
