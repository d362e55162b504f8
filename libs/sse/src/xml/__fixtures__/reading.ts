import { sseDialect } from '../dialect.ts';
import type { Item } from '../../engine/item.ts';
import type { FeedHead, Fragment, Payload } from '#xml';
import { FeedScanner } from '#xml';
import { readSseItem } from '../item-reading.ts';

export const namespace = 'https://www.microsoft.com/schemas/rss/sse';

/** Scans a document of SSE in one piece. */
export function scan(document: string): { fragments: Fragment[]; head: FeedHead } {
  const scanner = new FeedScanner(sseDialect);
  const fragments = scanner.write(document);
  return { fragments, head: scanner.end() };
}

/** An RSS feed with one item on line 2, with what is given inside it. */
export function feedOfItem(inside: string): string {
  return (
    `<rss version="2.0" xmlns:sx="${namespace}" xmlns:fm="urn:feedmesh:position">` +
    `<channel>\n<item>${inside}</item></channel></rss>`
  );
}

/** An OPML document with what is given in its body, on line 2. */
export function outlineDocument(inside: string): string {
  return (
    `<opml version="1.0" xmlns:sx="${namespace}" xmlns:fm="urn:feedmesh:position"><head/>` +
    `<body>\n${inside}</body></opml>`
  );
}

/** Reads every item of a document, each of which must be one that takes part in the synchronisation. */
export function itemsOf(document: string): Item<Payload>[] {
  return scan(document).fragments.map((fragment) => {
    const reading = readSseItem(fragment);
    if (reading.kind !== 'item') throw new Error(`Not an item: ${JSON.stringify(reading)}`);
    return reading.item;
  });
}

/** Reads the first item of a document. */
export function itemOf(document: string): Item<Payload> {
  const [item] = itemsOf(document);
  if (item === undefined) throw new Error('There is no item.');
  return item;
}

/** What is found in the first item of a document: rules with their places, as `severity rule@line:column`. */
export function violationsOf(document: string): string[] {
  const [fragment] = scan(document).fragments;
  if (fragment === undefined) throw new Error('There is no item.');
  return readSseItem(fragment).violations.map(
    ({ rule, severity, line, column }) => `${severity} ${rule}@${line}:${column}`,
  );
}
