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
 * feed's own, so that it conflicts with what others have written meanwhile (3.3). Returns undefined if the
 * item here knows it already:
 *
 * - its mark is that of the feed's latest version here, whoever adopted that;
 * - its mark is that of an earlier one, unless this subscription has seen the latest: then the feed has gone
 *   back to it, else someone else has seen more of the feed than this subscription;
 * - it is older than the feed's latest version here, which is a copy that a cache has kept;
 * - it says that an item is deleted which was never here.
 *
 * @param incoming as the feed has it, with one entry of `adoptedEntry`
 * @param seen the mark that this subscription saw last; undefined if it has never seen the item
 * @throws EditLimitError if `sequence` would pass 2^31-1
 */
export function adoptVersion<Data>(
  local: Item<Data> | undefined,
  incoming: Item<Data>,
  seen: string | undefined,
): Item<Data> | undefined {
  const entry = topmost(incoming);
  const mark = adoptionMark(entry) ?? '';
  const known = local === undefined ? [] : entriesBy(local, entry.by);
  const [latest] = known;
  if (local === undefined || latest === undefined)
    return incoming.sync.deleted ? undefined : withSettings(local, incoming);
  const latestMark = adoptionMark(latest);
  if (mark === latestMark) return undefined;
  if (known.some((other) => adoptionMark(other) === mark) && seen !== latestMark) return undefined;
  if (entry.when !== undefined && latest.when !== undefined && entry.when < latest.when) return undefined;
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
