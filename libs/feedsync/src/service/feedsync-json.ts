import type { HistoryEntry } from '../engine/item.ts';
import { describeItem, fieldsOfPayload } from '#xml';
import type { ItemDescription, ItemFields } from '#xml';
import type { FeedSyncContent } from './feedsync-content.ts';

/** One version of a FeedSync item as other programs see it. */
export interface VersionJson extends ItemFields, ItemDescription {
  readonly id: string;
  readonly deleted: boolean;
  readonly sync: {
    readonly updates: number;
    readonly noconflicts?: boolean;
    /** Topmost first. */
    readonly history: readonly Pick<HistoryEntry, 'sequence' | 'when' | 'by'>[];
  };
}

/** A FeedSync item as the HTTP interface and the command line show it. */
export interface FeedSyncItemJson extends VersionJson {
  /** In canonical order; their places are the numbers that `resolve` takes. */
  readonly conflicts: readonly VersionJson[];
}

/** The JSON form of a FeedSync item with its conflicts. */
export function feedsyncItemJson(content: FeedSyncContent): FeedSyncItemJson {
  return { ...versionJson(content), conflicts: content.conflicts.map(versionJson) };
}

/** The JSON form of one version, without its conflicts. */
export function versionJson({ sync, data }: FeedSyncContent): VersionJson {
  const { id, deleted, updates, noconflicts, history } = sync;
  return {
    id,
    ...fieldsOfPayload(data),
    ...describeItem(data),
    deleted,
    sync: {
      updates,
      ...(noconflicts !== undefined && { noconflicts }),
      history: history.map(({ sequence, when, by }) => ({ sequence, when, by })),
    },
  };
}
