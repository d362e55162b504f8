import type { VersionedItemView } from '#contracts';
import type { Columns } from './print-list.ts';
import { shownVersion } from './shown-version.ts';

/** What lists show of items that have a history. */
export const itemColumns: Columns<VersionedItemView> = {
  ID: ({ id }) => id,
  TITLE: (item) => shownVersion(item).title,
  UPDATES: ({ sync }) => ('updates' in sync ? sync.updates : sync.version),
  BY: ({ sync }) => sync.history[0]?.by ?? '',
  CONFLICTS: ({ conflicts }) => conflicts.length,
  DELETED: ({ deleted }) => (deleted ? 'deleted' : ''),
};
