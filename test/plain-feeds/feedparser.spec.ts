import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { runWithFeedparser } from '../support/feedparser.ts';
import { breakages } from './breakages.ts';
import { readPlainFeed, shapes } from './plain-feed.ts';

/** Each feed of the corpus by a name for its file. */
const feeds = new Map<string, { readonly feed: string | Uint8Array; readonly breakage: string }>(
  shapes().flatMap(({ name, feed }) => [
    [name, { feed, breakage: '' }] as const,
    ...breakages.flatMap(({ name: what, apply }, place) => {
      const broken = apply(feed);
      return broken === undefined ? [] : [[`${name}.${place}`, { feed: broken, breakage: what }] as const];
    }),
  ]),
);

let folder: string;
/** What feedparser sees: id, link and title of each item, or how it fails. */
let seen: Record<string, readonly [id: string, link: string, title: string][] | string>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'feedmesh-feeds-'));
  for (const [name, { feed }] of feeds) await writeFile(join(folder, name), feed);
  const script = fileURLToPath(new URL('see-with-feedparser.py', import.meta.url));
  seen = JSON.parse(await runWithFeedparser(script, folder)) as typeof seen;
});

afterAll(() => rm(folder, { recursive: true, force: true }));

/** Where feedparser sees something else, and what that is. */
const exceptions: ReadonlyMap<string, string> = new Map([
  ['the document twice', 'it shows the items of both'],
  ['its end too early', 'it shows the item that has not ended'],
  ['a reference beyond Unicode', 'it fails with a ValueError'],
  ['a title without an end', 'it loses what follows'],
  ['a link without an end', 'it loses the link'],
  ['a text without an end', 'it loses the items that follow'],
  ['UTF-8 that says UTF-16', 'it finds no items'],
]);

// It does not read JSON Feed.
test('feedparser sees the same ids, links and titles', async () => {
  const compared = [...feeds].filter(([, { breakage }]) => !exceptions.has(breakage));
  expect(compared.length).toBeGreaterThan(1500);
  const differing: string[] = [];
  for (const [name, { feed, breakage }] of compared) {
    if (typeof feed === 'string' && feed.startsWith('{')) continue;
    const { items } = await readPlainFeed(feed);
    const ours = JSON.stringify(items.map(({ id, link, title }) => [id, link, title]));
    const theirs = JSON.stringify(seen[name]);
    if (ours !== theirs) differing.push(`${name} (${breakage}): ${ours} / ${theirs}`);
  }
  expect(differing).toEqual([]);
});
