import { atomNamespace } from '#xml';
import type { FeedHead, Fragment } from '#xml';
import type { AdoptedFragment, AdoptedItems } from '#protocol';
import { deletionMark } from '../engine/adopted.ts';
import { deletedEntries } from './deleted-entries.ts';
import { writeFirstVersion } from './first-version.ts';
import { keyedItems } from './item-keys.ts';
import type { KeyedItem } from './item-keys.ts';
import { leftViolations } from './left-items.ts';
import type { LeftItem } from './left-items.ts';
import { digestOf } from './plain-identity.ts';
import { readPlainItem } from './plain-item.ts';
import type { PlainItem } from './plain-item.ts';
import { sameAddress } from './same-address.ts';

/**
 * Gives the items of a plain feed the synchronisation data of a first version, signed by the feed, and ids
 * that everyone who adopts the feed derives alike (`keyedItems`). An entry that the feed says is deleted (RFC
 * 6721) is one too, unless it has the entry with a later date. An item with the synchronisation data of
 * another protocol, or without content, is left. The oldest item comes first: the last one of the document,
 * unless dates say otherwise.
 * @param endpoint the feed's endpoint identifier (`feedEndpoint`)
 * @param shares whether the feed has had one identifier for several items before
 */
export function adoptItems(
  fragments: readonly Fragment[],
  head: Pick<FeedHead, 'children' | 'scope'>,
  endpoint: string,
  shares = false,
): AdoptedItems {
  const items: PlainItem[] = [];
  const left: LeftItem[] = [];
  for (const fragment of fragments) {
    const read = readPlainItem(fragment, head);
    if (typeof read === 'string') left.push({ fragment, reason: read });
    else items.push(read);
  }
  const live = new Map(keyedItems(items, shares).map((item) => [item.key, item]));
  const deleted = new Map<string, string | undefined>();
  for (const { ref, when } of deletedEntries(head)) {
    const key = sameAddress(ref);
    const date = live.get(key)?.identity.date;
    if (!live.has(key) || (date !== undefined && when !== undefined && date <= when)) deleted.set(key, when);
  }
  return {
    adopted: adoptedItems(live, deleted, endpoint),
    left: left.map(({ fragment }) => fragment),
    violations: leftViolations(left),
  };
}

function* adoptedItems(
  live: ReadonlyMap<string, KeyedItem>,
  deleted: ReadonlyMap<string, string | undefined>,
  endpoint: string,
): Generator<AdoptedFragment> {
  for (const item of inOrder([...live.values()])) if (!deleted.has(item.key)) yield adopt(item, endpoint);
  for (const [key, when] of deleted) yield tombstone(key, when, endpoint);
}

/** The oldest first; one without a date stands beside its neighbour in the document. */
function inOrder(items: readonly KeyedItem[]): readonly KeyedItem[] {
  let last = '';
  const dated = items.toReversed().map((item) => {
    last = item.identity.published ?? item.identity.date ?? last;
    return { item, date: last };
  });
  return dated
    .toSorted((one, other) => (one.date < other.date ? -1 : Number(one.date > other.date)))
    .map(({ item }) => item);
}

function adopt({ fragment, identity, mark, key, shared }: KeyedItem, endpoint: string): AdoptedFragment {
  const id = idOf(key, endpoint);
  const end = fragment.xml.lastIndexOf('</');
  const sync = writeFirstVersion({ id, by: endpoint, mark, when: identity.date });
  const xml = fragment.xml.slice(0, end) + sync + fragment.xml.slice(end);
  const adopted = { ...fragment, xml, id, digest: mark, adopted: true } as const;
  if (shared === undefined) return adopted;
  const { others, isRepeated } = shared;
  const isStated = identity.identifier !== undefined;
  return {
    ...adopted,
    shared: { others: others.map((other) => idOf(other, endpoint)), isRepeated, isStated },
  };
}

function tombstone(key: string, when: string | undefined, endpoint: string): AdoptedFragment {
  const id = idOf(key, endpoint);
  const sync = writeFirstVersion({ id, by: endpoint, mark: deletionMark, when, deleted: true });
  const xml = `<entry xmlns="${atomNamespace}">\n${sync}</entry>`;
  return { xml, line: 1, column: 1, id, digest: deletionMark, adopted: true };
}

function idOf(key: string, endpoint: string): string {
  return `adopted:${digestOf(`${endpoint}\n${key}`)}`;
}
