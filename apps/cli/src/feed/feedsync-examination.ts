import { feedsyncRules, isItemSubsumedBy, readItem } from '#feedsync';
import type { Item } from '#feedsync';
import type { Violation, Fragment } from '#xml';
import { violationAt } from './violation-at.ts';
import type { ItemExamination } from './item-examination.ts';

/** With how many versions of an item a later one is compared. */
const maximumVersions = 100;

/** What stood in the feed before under one id, without its data. */
interface EarlierItem {
  /** Of the first. */
  readonly line: number;
  readonly versions: Item[];
}

/**
 * The items of a feed of FeedSync: each by itself, and with those of the same id (2.4; Implementation Notes,
 * Note 2).
 */
export class FeedSyncExamination implements ItemExamination {
  readonly #earlier = new Map<string, EarlierItem>();

  examine(fragment: Fragment): { isSynced: boolean; violations: readonly Violation[] } {
    const reading = readItem(fragment);
    const isSynced = reading.kind !== 'plain';
    if (reading.kind !== 'item') return { isSynced, violations: reading.violations };
    const { sync } = reading.item;
    const version = { sync, data: undefined, conflicts: [] };
    const known = this.#earlier.get(sync.id);
    if (known === undefined) {
      this.#earlier.set(sync.id, { line: fragment.line, versions: [version] });
      return { isSynced, violations: reading.violations };
    }
    const violations = [...reading.violations, ...repeatedItem(version, known, fragment)];
    if (known.versions.length < maximumVersions) known.versions.push(version);
    return { isSynced, violations };
  }
}

function repeatedItem(version: Item, { line, versions }: EarlierItem, fragment: Fragment): Violation[] {
  const name = `the id "${version.sync.id}"`;
  const found = [
    violationAt(
      fragment,
      feedsyncRules,
      'sync-id-unique',
      `${name} is also that of the item in line ${line}; an id is unique within its feed`,
    ),
  ];
  const conflicts = versions.some(
    (other) => !isItemSubsumedBy(version, other) && !isItemSubsumedBy(other, version),
  );
  if (conflicts)
    found.push(
      violationAt(
        fragment,
        feedsyncRules,
        'repeated-item-conflict',
        `the versions of ${name} in this feed conflict with each other; one subsumes the other where the ` +
          'publisher makes no mistake',
      ),
    );
  return found;
}
