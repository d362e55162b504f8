import { atomNamespace, defaultSharedElements, escapeText, sharedPayload } from '#xml';
import type { FeedHead, Fragment } from '#xml';
import type { AdoptedFragment, AdoptedItems } from '#protocol';
import { deletionMark } from '../engine/adopted.ts';
import { readItem } from '../xml/item-reading.ts';
import { deletedEntries } from './deleted-entries.ts';
import { writeFirstVersion } from './first-version.ts';
import { digestOf, plainIdentity } from './plain-identity.ts';
import type { PlainIdentity } from './plain-identity.ts';
import { plainMark } from './plain-mark.ts';
import { sameAddress } from './same-address.ts';
import { withWebCharacters } from './web-characters.ts';

/** An item, and what was read of it. */
interface PlainItem {
  readonly fragment: Fragment;
  readonly identity: PlainIdentity;
  readonly mark: string;
}

/**
 * Gives the items of a plain feed the synchronisation data of a first version, signed by the feed, and ids
 * that everyone who adopts the feed derives alike. In a feed that has one identifier more than once,
 *
 * - items with other links are other items, distinguished by the link too;
 * - of those with the same link, which are versions of one item (RFC 4287 4.1.1), the latest counts, else the
 *   first.
 *
 * An entry that the feed says is deleted (RFC 6721) is one too, unless it has the entry with a later date. An
 * item with the synchronisation data of another protocol is left.
 * @param endpoint the feed's endpoint identifier (`feedEndpoint`)
 */
export function adoptItems(
  fragments: readonly Fragment[],
  head: Pick<FeedHead, 'children'>,
  endpoint: string,
): AdoptedItems {
  const left: Fragment[] = [];
  const items: PlainItem[] = [];
  for (const given of fragments) {
    const fragment = { ...given, xml: withWebCharacters(given.xml) };
    const read = readItem(fragment);
    const identity = read.kind === 'plain' ? plainIdentity(read.payload) : {};
    const isPlain = read.kind === 'plain' && !read.payload.children.some(({ name }) => name === 'sync');
    if (isPlain && fragment.xml.includes('</') && keyOf(identity) !== undefined) {
      const mark = plainMark(sharedPayload(read.payload, defaultSharedElements));
      items.push({ fragment, identity, mark });
    } else left.push(fragment);
  }
  const live = itemsByKey(items);
  const deleted = new Map<string, string | undefined>();
  for (const { ref, when } of deletedEntries(head)) {
    const key = sameAddress(ref);
    const date = live.get(key)?.identity.date;
    if (!live.has(key) || (date !== undefined && when !== undefined && date <= when)) deleted.set(key, when);
  }
  return { adopted: adoptedItems(live, deleted, endpoint), left };
}

function* adoptedItems(
  live: ReadonlyMap<string, PlainItem>,
  deleted: ReadonlyMap<string, string | undefined>,
  endpoint: string,
): Generator<AdoptedFragment> {
  for (const [key, item] of live) if (!deleted.has(key)) yield adopt(item, key, endpoint);
  for (const [key, when] of deleted) yield tombstone(key, when, endpoint);
}

/** The items by what tells each apart. */
function itemsByKey(items: readonly PlainItem[]): Map<string, PlainItem> {
  const firstLink = new Map<string, string>();
  const shared = new Set<string>();
  for (const { identity } of items) {
    const key = keyOf(identity) ?? '';
    const link = sameAddress(identity.link ?? '');
    if (!firstLink.has(key)) firstLink.set(key, link);
    else if (firstLink.get(key) !== link) shared.add(key);
  }
  const all = new Map<string, PlainItem>();
  for (const item of items) {
    const { identity } = item;
    const key = keyOf(identity) ?? '';
    const own = shared.has(key) ? `${key} ${sameAddress(identity.link ?? identity.digest ?? '')}` : key;
    const other = all.get(own);
    if (other === undefined || (other.identity.date ?? '') < (identity.date ?? '')) all.set(own, item);
  }
  return all;
}

/** An identifier that is an address counts as one: it and the link may stand in for each other. */
function keyOf({ identifier, link, digest }: PlainIdentity): string | undefined {
  const name = identifier ?? link;
  return name === undefined ? digest && `text:${digest}` : sameAddress(name);
}

function adopt({ fragment, identity, mark }: PlainItem, key: string, endpoint: string): AdoptedFragment {
  const id = idOf(key, endpoint);
  const end = fragment.xml.lastIndexOf('</');
  const sync = writeFirstVersion({ id, by: endpoint, mark, when: identity.date });
  // The identifier is the publisher's; where it is the only link (RSS 2.0, isPermaLink), it stays as one.
  const link = identity.permalink === undefined ? '' : `<link>${escapeText(identity.permalink)}</link>`;
  const xml = fragment.xml.slice(0, end) + link + sync + fragment.xml.slice(end);
  return { ...fragment, xml, id, digest: mark, adopted: true };
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
