import { deepStrictEqual } from 'node:assert/strict';
import { feedIdOf } from '#items';
import { itemId, subscriptionId } from '#core';
import { sampleSubscription } from '#in-memory';
import { fetchLink } from '../../../apps/gateway/src/tree/fetch-link.ts';
import type { CaseDocuments } from '../case-file/case-documents.ts';
import { comparePublished } from './compare-published.ts';
import type { MirrorRound, MirrorTreeOperation } from './cse-operation.ts';
import { Publisher } from './publisher.ts';
import { TreeEndpoint, treeName } from './tree-endpoint.ts';

const base = 'http://publisher.example/';
const root = `${base}feed.xml`;
const subscription = subscriptionId('source');

/**
 * Mirrors a tree round by round, and compares what is published of it after each. Throws an AssertionError
 * if it is not as expected.
 */
export async function mirrorTree(
  documents: CaseDocuments,
  { settings, rounds }: MirrorTreeOperation,
): Promise<void> {
  const endpoint = new TreeEndpoint();
  await endpoint.open(settings);
  await subscribe(endpoint);
  const publisher = new Publisher(documents, rounds);
  for (const [index, round] of rounds.entries()) {
    endpoint.time = round.at;
    for (const { guid, link } of round.ask ?? []) await ask(endpoint, guid, link);
    const requested = serve(endpoint, publisher, documents, index + 1);
    await endpoint.fetch(subscription);
    await compareRound(endpoint, index + 1, round, requested);
    await comparePublished(endpoint, documents, index + 1, (path) => feedIdOf(base + path, root));
  }
}

async function subscribe({ ports: { store, clock } }: TreeEndpoint): Promise<void> {
  const now = clock.now();
  await store.subscriptions.put(
    sampleSubscription({
      collection: treeName,
      id: subscription,
      url: root,
      createdAt: now,
    }),
  );
}

async function ask({ ports }: TreeEndpoint, guid: string, link: number): Promise<void> {
  const [id] = await ports.store.items.withGuid(treeName, guid);
  await fetchLink(ports, treeName, id ?? itemId(''), link);
}

/**
 * Serves all documents of a case as they are in a round, each with an ETag; what is requested is added to the
 * list that it returns.
 */
function serve(
  { http }: TreeEndpoint,
  publisher: Publisher,
  documents: CaseDocuments,
  round: number,
): string[] {
  const requested: string[] = [];
  const paths = documents.names.flatMap((name) => /^\d+\/(.+)$/.exec(name)?.[1] ?? []);
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
