import 'reflect-metadata';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { ChangeEvent, ChangesView, ItemView, SubscriptionView } from '#contracts';
import { freePort } from '#databases';
import { PipelineUnderTest } from '../medium/pipeline/pipeline-under-test.ts';
import { until } from '../support/until.ts';
import { readWithFeedsmith } from './readers/read-with-feedsmith.ts';
import { wildDocuments } from './wild-document.ts';
import type { WildDocument } from './wild-document.ts';

// A team subscribes to ten feeds, corrects an item of each, and passes everything on. Then every feed is
// damaged, and repaired.

/** The feeds, as different programs publish them. */
const files = [
  'wordpress-rss.xml',
  'blogger-atom.xml',
  'youtube-atom.xml',
  'github-releases-atom.xml',
  'mastodon-rss.xml',
  'podcast-rss.xml',
  'reddit-atom.xml',
  'government-rdf.xml',
  'json-feed-11.json',
  'slashdot-rdf.xml',
];
const documents = wildDocuments().filter(({ file }) => files.includes(file));

/** An installation with its gateway. */
interface Installation {
  readonly pipeline: PipelineUnderTest;
  readonly url: string;
}

let team: Installation;
let second: Installation;
let corrections: ReadonlyMap<string, ReturnType<typeof correction>>;

beforeAll(async () => {
  [team, second] = [await install(), await install()];
  await send(team, 'PUT', '/v1/collections/news', {
    format: 'atom',
    endpoint: 'team:news',
    settings: { includeItem: true },
  });
  for (const document of documents) serve(document, document.body);
  for (const { file } of documents)
    await send(team, 'PUT', subscriptionPath(file), { url: team.pipeline.feeds.url(`/${file}`) });
  for (const { file } of documents) await fetched(file);
  await send(second, 'PUT', '/v1/collections/news', { format: 'atom', endpoint: 'second:news' });
  await send(second, 'PUT', '/v1/collections/news/subscriptions/team', {
    url: `${team.url}/feeds/news.atom`,
  });
});

afterAll(async () => {
  await team.pipeline.close();
  await second.pipeline.close();
});

async function install(): Promise<Installation> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const pipeline = await PipelineUnderTest.open({ PUBLIC_URL: url });
  await pipeline.start('fetcher', 'merger', 'publisher');
  await pipeline.startWith({ PORT: String(port) }, 'gateway');
  return { pipeline, url };
}

function serve({ file, contentType }: WildDocument, body: Uint8Array): void {
  team.pipeline.feeds.serve(`/${file}`, { headers: { 'content-type': contentType }, body });
}

async function send<Body>({ url }: Installation, method: string, path: string, body?: object): Promise<Body> {
  const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
  const response = await fetch(url + path, {
    method,
    headers: { accept: 'application/json', ...(body && { 'content-type': type }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return response.json() as Promise<Body>;
}

function subscriptionPath(file: string): string {
  return `/v1/collections/news/subscriptions/${file.replace(/\..*$/, '')}`;
}

/** A subscription once it has been fetched, after a time. */
async function fetched(file: string, after = ''): Promise<SubscriptionView> {
  return until(
    () => send<SubscriptionView>(team, 'GET', subscriptionPath(file)),
    ({ isFetching, last }) => !isFetching && last !== undefined && last.at > after,
  );
}

/** Has all feeds fetched again, and the second installation everything that came of it. */
async function fetchAll(change: (body: Uint8Array) => Uint8Array): Promise<readonly SubscriptionView[]> {
  const views: SubscriptionView[] = [];
  for (const document of documents) {
    const { last } = await fetched(document.file);
    serve(document, change(document.body));
    await send(team, 'POST', `${subscriptionPath(document.file)}/refresh`);
    views.push(await fetched(document.file, last?.at));
  }
  await synchronised();
  return views;
}

async function items(installation: Installation): Promise<readonly ItemView[]> {
  const page = await send<{ items: readonly ItemView[] }>(
    installation,
    'GET',
    '/v1/collections/news/items?limit=1000',
  );
  return page.items;
}

/** What both installations are to have in common. */
function shared(all: readonly ItemView[]): readonly object[] {
  return all.map(({ id, title, link, content, summary, published, authors, enclosures, image, sync }) => {
    const { updates } = sync;
    // An entry of Atom has a title, which is empty if the item has none.
    return { id, title: title ?? '', link, content, summary, published, authors, enclosures, image, updates };
  });
}

async function synchronised(): Promise<void> {
  await send(second, 'POST', '/v1/collections/news/subscriptions/team/refresh');
  await until(
    async () => [shared(await items(team)), shared(await items(second))] as const,
    ([ours, theirs]) => JSON.stringify(ours) === JSON.stringify(theirs),
  );
}

function correction(file: string) {
  return {
    title: `${file}, corrected`,
    content: `<p>Corrected text of ${file}</p>`,
    contentType: 'html',
    link: `https://team.example/${file}`,
  } as const;
}

/** Both installations have the corrections, and a feed reader shows them. */
async function expectCorrections(): Promise<void> {
  for (const installation of [team, second]) {
    const found = await items(installation);
    expect(found.filter(({ conflicts }) => conflicts.length > 0)).toEqual([]);
    for (const [id, corrected] of corrections)
      expect(found.find((item) => item.id === id)).toMatchObject(corrected);
    const response = await fetch(`${installation.url}/feeds/news/reader.atom`);
    const shown = readWithFeedsmith(await response.text());
    for (const { title, content, link } of corrections.values())
      expect(shown).toContainEqual(expect.objectContaining({ title, content, link }));
  }
}

/** The document without the last byte of its first character that has several, within its items. */
function damaged(body: Uint8Array): Uint8Array {
  const bytes = Buffer.from(body);
  const start = Math.max(...['<item', '<entry', '"items"'].map((name) => bytes.indexOf(name)));
  const first = bytes.findIndex((byte, index) => index > start && byte >= 0xc2);
  if (first < 0) throw new Error('every character of the document has one byte');
  return Buffer.concat([bytes.subarray(0, first + 1), bytes.subarray(first + 2)]);
}

describe('a team', () => {
  test('takes in ten feeds, and another installation has the same', async () => {
    expect(documents).toHaveLength(10);
    const expected = documents.reduce((sum, document) => sum + document.expected('').items.length, 0);
    expect(await items(team)).toHaveLength(expected);
    await synchronised();
  });

  test('corrects one item of each feed, everywhere', async () => {
    const all = await items(team);
    corrections = new Map(
      documents.map((document) => {
        const [first] = document.expected('').items;
        const item = all.find(({ link }) => link === first?.link);
        if (item === undefined) throw new Error(`there is no item of ${document.file}`);
        return [item.id, correction(document.file)] as const;
      }),
    );
    for (const [id, corrected] of corrections)
      await send(team, 'PATCH', `/v1/collections/news/items/${encodeURIComponent(id)}`, corrected);
    await synchronised();
    await expectCorrections();
  });

  test('keeps the corrections while every feed is damaged', async () => {
    const views = await fetchAll(damaged);
    expect(views.map(({ last }) => last?.outcome)).toEqual(documents.map(() => 'fetched'));
    expect(views.flatMap(({ last }) => last?.violations?.map(({ rule }) => rule) ?? [])).toEqual(
      documents.map(() => 'mended-bytes'),
    );
    await expectCorrections();
  });

  test('and once they are repaired', async () => {
    await fetchAll((body) => body);
    await expectCorrections();
  });

  test('sends events from which consumers know every item', async () => {
    const known = new Map<string, object>();
    const log = async (): Promise<readonly ChangeEvent[]> =>
      (await send<ChangesView>(team, 'GET', '/v1/collections/news/changes?since=start&limit=1000')).changes;
    const all = shared(await items(team));
    await until(async () => {
      for (const event of await log())
        if ('item' in event.data && event.data.item !== undefined)
          known.set(event.data.item.id, shared([event.data.item as ItemView])[0] ?? {});
      return JSON.stringify([...known.values()].toSorted(byId)) === JSON.stringify([...all].toSorted(byId));
    });
  });
});

function byId(one: object, other: object): number {
  return JSON.stringify(one) < JSON.stringify(other) ? -1 : 1;
}
