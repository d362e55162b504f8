import type { PlainIdentity } from './plain-identity.ts';
import type { PlainItem } from './plain-item.ts';
import { sameAddress } from './same-address.ts';

/** An item with what tells it apart in its feed. */
export interface KeyedItem extends PlainItem {
  readonly key: string;
  /** Absent if the feed has its identifier for it alone. */
  readonly shared?: SharedKey;
}

/** How an item is told apart from others with its identifier. */
interface SharedKey {
  /** Other keys that it may have had, the best first. */
  readonly others: readonly string[];
  /** Whether this document has several items with it. */
  readonly isRepeated: boolean;
}

/** What items with one identifier are told apart by, the best first. */
const distinctions: readonly ((identity: PlainIdentity) => string)[] = [
  ({ link = '' }) => sameAddress(link),
  ({ link = '', digest = '' }) => `${sameAddress(link)} ${digest}`,
  ({ link = '', text }) => `${sameAddress(link)} ${text}`,
];

/**
 * Gives the items of a document their keys: what they are identified by, with the first of link, title and
 * text that differs where several have the same. Of one that the document repeats, or has in several versions
 * (RFC 4287 4.1.1), the latest counts, else the first.
 * @param shares whether the feed has had one identifier for several items before
 */
export function keyedItems(items: readonly PlainItem[], shares: boolean): readonly KeyedItem[] {
  const groups = new Map<string, PlainItem[]>();
  for (const item of items) {
    const key = keyOf(item.identity);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return [...groups].flatMap(([key, group]) => keysIn(key, different(group), shares));
}

/** An identifier that is an address counts as one: it and the link may stand in for each other. */
function keyOf({ identifier, link, digest = '' }: PlainIdentity): string {
  const name = identifier ?? link;
  return name === undefined ? `text:${digest}` : sameAddress(name);
}

function keysIn(key: string, group: readonly PlainItem[], shares: boolean): KeyedItem[] {
  const isRepeated = group.length > 1;
  if (!isRepeated && !shares) return group.map((item) => ({ ...item, key }));
  const level = isRepeated ? distinctions.find((distinction) => isDistinct(group, distinction)) : undefined;
  return group.map((item) => {
    const all = distinctions.map((distinction) => `${key} ${distinction(item.identity)}`);
    const own = level === undefined ? key : `${key} ${level(item.identity)}`;
    const others = [...all.toReversed(), key].filter((other) => other !== own);
    return { ...item, key: own, shared: { others, isRepeated } };
  });
}

function isDistinct(group: readonly PlainItem[], distinction: (identity: PlainIdentity) => string): boolean {
  return new Set(group.map(({ identity }) => distinction(identity))).size === group.length;
}

/** The items of a group without repetitions and earlier versions. */
function different(group: readonly PlainItem[]): readonly PlainItem[] {
  if (group.length === 1) return group;
  const dates = new Set(group.map(({ identity }) => identity.date));
  const areDated = dates.size === group.length && !dates.has(undefined);
  const latest = new Map<string, PlainItem>();
  for (const item of group) {
    const { link = '', text, date = '' } = item.identity;
    const same = item.hasVersions && areDated ? sameAddress(link) : `${sameAddress(link)} ${text}`;
    const other = latest.get(same);
    if (other === undefined || (other.identity.date ?? '') < date) latest.set(same, item);
  }
  return [...latest.values()];
}
