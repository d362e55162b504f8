import { itemDifferences } from './item-differences.ts';
import type { SeenItem } from './item-differences.ts';
import { readerItems } from './reader-feed.ts';
import type { TakenFeed } from './taken-feeds.ts';
import { formats } from './wild-document.ts';
import type { Expectation, Format, WildItem } from './wild-document.ts';

/**
 * Where a collection shows something else than what is expected of a document, one line each: place, item,
 * value.
 * @param format that of the collection, which keeps the types of text only in Atom
 */
export function feedDifferences(expected: Expectation, taken: TakenFeed, format: Format): string[] {
  const settings = { hasTypes: format === 'atom' };
  const shown = format === 'rss' ? taken.items.map(asHtml) : taken.items;
  const created = taken.events.filter(({ type }) => type.includes('item.created')).length;
  const wanted = expected.events ?? expected.items.length;
  return [
    ...(created === wanted ? [] : [`events: expected ${wanted} created, got ${created}`]),
    ...differences(expected.items, arranged(expected.items, shown), settings, 'json'),
    ...formats.flatMap((name) => {
      const reader = expected.items.map((item, place) => readerItem(item, expected.reader?.[place], name));
      const seen = readerItems(taken.reader[name]);
      const where = `reader.${name}`;
      return [
        ...differences(reader, arranged(reader, seen), { hasTypes: false }, where),
        ...orderDifferences(reader, seen, where),
      ];
    }),
  ];
}

/** An item of RSS with the type that its content has: HTML, of which plain text is the simplest. */
function asHtml(item: SeenItem): SeenItem {
  return { ...item, contentType: 'html' };
}

function differences(
  expected: readonly WildItem[],
  seen: readonly SeenItem[],
  settings: { readonly hasTypes: boolean },
  where: string,
): string[] {
  return [
    ...(seen.length === expected.length
      ? []
      : [`${where}: expected ${expected.length} items, got ${seen.length}`]),
    ...expected.flatMap((item, place) =>
      itemDifferences(item, seen[place] ?? {}, settings).map((line) => `${where}[${place}].${line}`),
    ),
  ];
}

/** The items in the order of the expected ones: for each the one that differs least. */
function arranged(expected: readonly WildItem[], seen: readonly SeenItem[]): readonly SeenItem[] {
  const left = [...seen];
  const settings = { hasTypes: false };
  const matched = expected.flatMap((item) => {
    const [best] = left
      .map((found) => ({ found, count: itemDifferences(item, found, settings).length }))
      .toSorted((one, other) => one.count - other.count);
    if (best === undefined) return [];
    left.splice(left.indexOf(best.found), 1);
    return [best.found];
  });
  return [...matched, ...left];
}

/** What a feed for readers shows of an item: no values that the formats have no place for. */
function readerItem(item: WildItem, other: WildItem | undefined, format: Format): WildItem {
  const { title, link, published, authors, enclosures } = item;
  const content = item.content ?? item.summary;
  const type = item.content === undefined ? item.summaryType : item.contentType;
  const names = format === 'rss' ? authors?.map(({ name }) => ({ name })) : authors;
  return {
    // An item without a title gets one, and one without an author that of the feed.
    ...(title !== null && { title }),
    link,
    ...(published !== null && { published }),
    ...(names && { authors: names }),
    ...(content !== null && { content, ...(type !== undefined && { contentType: type }) }),
    enclosures,
    ...other,
  };
}

/** Where items that all have dates, or none, are not in the order of a feed for readers: the latest first. */
function orderDifferences(expected: readonly WildItem[], seen: readonly SeenItem[], where: string): string[] {
  const dated = expected.filter(({ published }) => typeof published === 'string');
  if (dated.length > 0 && dated.length < expected.length) return [];
  const time = ({ published }: WildItem): number => Date.parse(published ?? '') || 0;
  const found = arranged(expected, seen);
  const places = (items: readonly SeenItem[]): number[] => items.map((item) => found.indexOf(item));
  const wanted = [...expected.keys()].toSorted((one, other) => {
    const [first = {}, second = {}] = [expected[one], expected[other]];
    return time(second) - time(first);
  });
  const [order, got] = [wanted, places(seen)].map((list) => JSON.stringify(list));
  return order === got ? [] : [`${where}.order: expected ${order}, got ${got}`];
}
