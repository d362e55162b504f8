import type { Fragment, Violation } from '#xml';
import { ItemsOfOwnIds, violationAt } from '#protocol';
import type { ItemExamination } from '#protocol';
import type { Item } from '../engine/item.ts';
import { isItemSubsumedBy } from '../engine/subsumption.ts';
import { readItem } from '../xml/item-reading.ts';
import { feedsyncRules } from '../xml/rule.ts';
import type { FeedSyncContent } from './feedsync-content.ts';

/** With how many versions of an item a later one is compared. */
const maximumVersions = 100;

/**
 * Examines the items of a feed of FeedSync: each by itself, and with those of the same id (2.4;
 * Implementation Notes, Note 2).
 */
export function examineFeedSyncItems(): ItemExamination {
  /** What stood in the feed before by id, without its data. */
  const earlier = new Map<string, Item[]>();
  const compare = ({ sync }: FeedSyncContent, fragment: Fragment): readonly Violation[] => {
    const version = { sync, data: undefined, conflicts: [] };
    const versions = earlier.get(sync.id) ?? [];
    const conflicts = versions.some(
      (other) => !isItemSubsumedBy(version, other) && !isItemSubsumedBy(other, version),
    );
    if (versions.length < maximumVersions) earlier.set(sync.id, [...versions, version]);
    return conflicts ? [repeatedItemConflict(fragment, sync.id)] : [];
  };
  const rule = { name: 'sync-id-unique', ...feedsyncRules['sync-id-unique'] };
  return new ItemsOfOwnIds<FeedSyncContent>(readItem, rule, compare);
}

function repeatedItemConflict(fragment: Fragment, id: string): Violation {
  return violationAt(
    fragment,
    { name: 'repeated-item-conflict', ...feedsyncRules['repeated-item-conflict'] },
    `the versions of the id "${id}" in this feed conflict with each other; one subsumes the other if the ` +
      'publisher makes no mistake',
  );
}
