import { describe, expect, test } from '@jest/globals';
import { breakages } from './breakages.ts';
import { readPlainFeed, shapes } from './plain-feed.ts';
import type { PlainItem, Reading } from './plain-feed.ts';

const all = shapes();

/** What readers see, whatever else is known of it. */
function seen({ items }: Reading): PlainItem[] {
  return items.map(({ id, link, title }) => ({ id, link, title }));
}

/** What decides whether a fetch makes versions: id and mark of each item, in any order. */
function versions({ items }: Reading): string[] {
  return items.map(({ adoptedId, mark }) => `${adoptedId} ${mark}`).toSorted();
}

test('the corpus has at least 400 feeds, broken in at least 60 ways', () => {
  const broken = all.flatMap(({ feed }) => breakages.filter(({ apply }) => apply(feed) !== undefined));
  expect(all.length + broken.length).toBeGreaterThanOrEqual(400);
  expect(new Set(broken).size).toBe(breakages.length);
  expect(breakages.filter(({ isWellFormed }) => isWellFormed === undefined).length).toBeGreaterThanOrEqual(
    60,
  );
});

describe.each(all.map((shape) => [shape.name, shape] as const))('%s', (_name, { feed, items }) => {
  test('is adopted, item by item', async () => {
    const reading = await readPlainFeed(feed);
    expect(seen(reading)).toEqual(items);
    expect(new Set(reading.items.map(({ adoptedId }) => adoptedId)).size).toBe(items.length);
  });

  test.each([
    ['reordered', reordered],
    ['with other dates', redated],
    ['in UTF-16', (text: string) => withMark(Buffer.from(declared(text, 'utf-16'), 'utf16le'))],
    ['with character references', (text: string) => (text.startsWith('<') ? withReferences(text) : text)],
    ['with other line ends', (text: string) => text.replaceAll('\n', '\r\n')],
  ] as const)('%s it makes no version', async (_how, change) => {
    expect(versions(await readPlainFeed(change(feed)))).toEqual(versions(await readPlainFeed(feed)));
  });

  // Mended in any case, since no synchronised feed is in such a format.
  const isOld = /<rdf:RDF|purl\.org\/atom\/ns#/.test(feed);
  const fitting = breakages.flatMap((breakage) => {
    const broken = breakage.apply(feed);
    return broken === undefined ? [] : [[breakage.name, breakage, broken] as const];
  });
  if (fitting.length > 0)
    test.each(fitting)(
      'broken by %s it shows the same items',
      async (_what, { lost = 0, isWellFormed }, broken) => {
        const reading = await readPlainFeed(broken);
        expect(seen(reading)).toEqual(items.slice(0, items.length - lost));
        const mended = reading.rules.filter((rule) => rule.startsWith('mended-'));
        if (!isOld) expect(mended.length > 0).toBe(isWellFormed === undefined);
        // It is mended alike each time.
        expect(versions(await readPlainFeed(broken))).toEqual(versions(reading));
      },
    );
});

/** The items of a feed the other way round. */
function reordered(feed: string): string {
  if (feed.startsWith('{')) {
    const parsed = JSON.parse(feed) as { items: unknown[] };
    return JSON.stringify({ ...parsed, items: parsed.items.toReversed() });
  }
  const pattern = /<((?:rss:)?item|entry)[\s>][^]*?<\/\1>/g;
  const found = [...feed.matchAll(pattern)].map(([item]) => item).toReversed();
  let place = 0;
  return feed.replace(pattern, () => found[place++] ?? '');
}

/** A feed with later dates. */
function redated(feed: string): string {
  return feed.replace(/\b20(?:04|26)-0[16]-0/g, '2026-03-1').replace(/\b0([0-9]) Jan 2026/g, '1$1 Mar 2026');
}

function declared(feed: string, encoding: string): string {
  return feed.replace(
    /^<\?xml version=["']1\.0["']( encoding=["'][^"']*["'])?/,
    `<?xml version="1.0" encoding="${encoding}"`,
  );
}

function withMark(bytes: Buffer): Uint8Array {
  return Buffer.concat([Buffer.from([0xff, 0xfe]), bytes]);
}

/** A feed in ASCII. */
function withReferences(feed: string): string {
  return declared(feed, 'us-ascii').replace(/\P{ASCII}/gu, (character) => `&#${character.codePointAt(0)};`);
}
