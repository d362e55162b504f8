import { deepStrictEqual } from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { feedIdOf } from '#items';
import { fetchLink } from '../../../apps/gateway/src/tree/fetch-link.ts';
import { comparePublished } from './compare-published.ts';
import type { MirrorRound, MirrorTreeOperation } from './cse-operation.ts';
import { Publisher } from './publisher.ts';
import { TreeEndpoint, treeName } from './tree-endpoint.ts';

const base = 'http://publisher.example/';
const root = `${base}feed.xml`;
const subscription = 'source';

/**
 * Mirrors a tree round by round, and compares what is published of it after each. Throws an AssertionError
 * where it is not as expected.
 */
export async function mirrorTree(folder: string, { settings, rounds }: MirrorTreeOperation): Promise<void> {
  const endpoint = new TreeEndpoint();
  await endpoint.open(settings);
  await subscribe(endpoint);
  const publisher = new Publisher(folder, rounds);
  for (const [index, round] of rounds.entries()) {
    endpoint.time = round.at;
    for (const { guid, link } of round.ask ?? []) await ask(endpoint, guid, link);
    const requested = serve(endpoint, publisher, folder, index + 1);
    await endpoint.fetch(subscription);
    await compareRound(endpoint, index + 1, round, requested);
    await comparePublished(endpoint, folder, index + 1, (file) => feedIdOf(base + file, root));
  }
}

async function subscribe({ ports: { store, clock } }: TreeEndpoint): Promise<void> {
  const now = clock.now();
  await store.subscriptions.put({
    collection: treeName,
    id: subscription,
    url: root,
    status: 'active',
    interval: { minimum: 60, maximum: 3600 },
    cursor: {},
    cursorVersion: 0,
    nextFetchAt: now,
    nextFetchReason: 'it is new',
    failures: 0,
    createdAt: now,
  });
}

async function ask({ ports }: TreeEndpoint, guid: string, link: number): Promise<void> {
  const [id] = await ports.store.items.withGuid(treeName, guid);
  await fetchLink(ports, treeName, id ?? '', link);
}

/**
 * Serves all documents of a case as they are in a round, each with an ETag; what is requested is added to the
 * list that it answers.
 */
function serve({ http }: TreeEndpoint, publisher: Publisher, folder: string, round: number): string[] {
  const requested: string[] = [];
  const paths = readdirSync(folder)
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => readdirSync(join(folder, name), { encoding: 'utf8', recursive: true }));
  for (const path of new Set(paths)) {
    http.serve(new URL(path, base).href, () => {
      requested.push(path);
      const document = publisher.document(path, round);
      return document === undefined
        ? { status: 404 }
        : { status: 200, headers: { etag: `"${document.round}"` }, body: document.text };
    });
  }
  return requested;
}

async function compareRound(
  { ports: { store } }: TreeEndpoint,
  number: number,
  { expected = {} }: MirrorRound,
  requested: readonly string[],
): Promise<void> {
  const documents = await store.documents.list(treeName, { limit: 1000 });
  const failures = documents.flatMap(({ url, failure }) =>
    failure === undefined ? [] : [[pathOf(url), failure.rule] as const],
  );
  const feeds = Array.from(await store.feeds.list(treeName, { limit: 1000 }), ({ url }) =>
    url === undefined ? '' : pathOf(url),
  );
  const actual = {
    requested: requested.toSorted(),
    failures: Object.fromEntries(failures),
    feeds: feeds.toSorted(),
  };
  deepStrictEqual({ round: number, ...actual }, { round: number, ...actual, failures: {}, ...expected });
}

function pathOf(url: string): string {
  return url.slice(base.length);
}
