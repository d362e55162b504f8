import type { Sighting } from '#core';
import { maximumCount } from './count.ts';
import { EditLimitError } from './edit-error.ts';
import type { HistoryEntry, Item } from './item.ts';
import { topmost } from './version.ts';

/** The namespace of the attribute by which a history entry says what its version was adopted from. */
export const adoptionNamespace = 'urn:feedmesh:adopted';

/** The mark of a version that a plain feed says is deleted. */
export const deletionMark = 'deleted';

/** How many entries of the plain feed a version's history has at the most. */
const keptEntries = 20;

/** What a history entry was adopted from; undefined if it was not, or if a publisher left that out. */
export function adoptionMark({ foreign }: HistoryEntry): string | undefined {
  return foreign?.attributes.find(({ namespace, name }) => namespace === adoptionNamespace && name === 'mark')
    ?.value;
}

/** Whether a version was adopted from a plain feed, or made from one that was. */
export function isAdopted({ history }: Pick<Item['sync'], 'history'>): boolean {
  return history.some((entry) => adoptionMark(entry) !== undefined);
}

/** An entry of an adopted version's history. */
export function adoptedEntry(
  sequence: number,
  author: Pick<HistoryEntry, 'when' | 'by'>,
  mark: string,
): HistoryEntry {
  const attributes = [{ namespace: adoptionNamespace, name: 'mark', value: mark }];
  return { sequence, ...author, foreign: { attributes, children: [] } };
}

/**
 * The version that an item of a plain feed is here. Whoever adopts the feed signs alike, as the feed itself:
 * its first version has `updates` and `sequence` 1, each later one is one more and follows none but the
 * feed's own, so that it conflicts with what others have written meanwhile (3.3). A mark that the item here
 * does not know is a change, whatever its date is. Returns undefined if the item here knows it already:
 *
 * - its mark is that of the feed's latest version here, whoever adopted that;
 * - its mark is that of an earlier one, unless the feed has gone back to it (`hasGoneBack`);
 * - it says that an item is deleted which was never here.
 *
 * @param incoming as the feed has it, with one entry of `adoptedEntry`
 * @param sighting how this subscription sees the item
 * @throws EditLimitError if `sequence` would pass 2^31-1
 */
export function adoptVersion<Data>(
  local: Item<Data> | undefined,
  incoming: Item<Data>,
  sighting: Sighting,
): Item<Data> | undefined {
  const entry = topmost(incoming);
  const mark = adoptionMark(entry) ?? '';
  const known = local === undefined ? [] : entriesBy(local, entry.by);
  const [latest] = known;
  if (local === undefined || latest === undefined)
    return incoming.sync.deleted ? undefined : withSettings(local, incoming);
  const latestMark = adoptionMark(latest);
  if (mark === latestMark) return undefined;
  const earlier = known.filter((other) => adoptionMark(other) === mark);
  if (earlier.length > 0 && !hasGoneBack(entry, earlier, latest, sighting)) return undefined;
  const sequence = latest.sequence + 1;
  if (sequence > maximumCount)
    throw new EditLimitError(
      `the item ${incoming.sync.id} has reached the limit of ${maximumCount} for "sequence" by ` +
        `${entry.by ?? ''} (FeedSync 2.5)`,
    );
  const history = [{ ...entry, sequence }, ...known].slice(0, keptEntries);
  const adopted = { ...incoming, sync: { ...incoming.sync, updates: sequence, history } };
  return withSettings(local, incoming.sync.deleted ? { ...adopted, data: local.data } : adopted);
}

/**
 * Whether a feed shows again what it has shown before, and not a cache that is behind:
 *
 * - this subscription has seen the latest version itself, and the document is not older than that one was;
 * - the item is not dated before the latest version, unless that was a deletion, which has a date of its own;
 * - it has not gone back to this version before, with the same date: two caches that disagree come to rest.
 */
function hasGoneBack(
  entry: HistoryEntry,
  earlier: readonly HistoryEntry[],
  latest: HistoryEntry,
  { seen, isStale = false }: Sighting,
): boolean {
  const latestMark = adoptionMark(latest);
  if (isStale || seen !== latestMark) return false;
  const isOlder = entry.when !== undefined && latest.when !== undefined && entry.when < latest.when;
  if (isOlder && latestMark !== deletionMark) return false;
  return earlier.filter(({ when }) => when === entry.when).length < 2;
}

/** The feed's own entries in the item's histories, those of its conflicts too, the latest first. */
function entriesBy(item: Item, by: string | undefined): HistoryEntry[] {
  const bySequence = new Map<number, HistoryEntry>();
  for (const { sync } of [item, ...item.conflicts])
    for (const entry of sync.history)
      if (entry.by === by && !bySequence.has(entry.sequence)) bySequence.set(entry.sequence, entry);
  return [...bySequence.values()].toSorted((one, other) => other.sequence - one.sequence);
}

/** What the item's creator set once for all of its versions (2.4). */
function withSettings<Data>(local: Item<Data> | undefined, version: Item<Data>): Item<Data> {
  const noconflicts = local?.sync.noconflicts;
  return noconflicts === undefined ? version : { ...version, sync: { ...version.sync, noconflicts } };
}
