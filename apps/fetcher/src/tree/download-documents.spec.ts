import { expect, test } from '@jest/globals';
import { createMemoryHttp, createMemoryStore, sampleSubscription } from '#in-memory';
import type { DownloadJob, Job } from '#contracts';
import { collectionKey, FetchError, subscriptionId } from '#core';
import { Hosts } from '../hosts/hosts.ts';
import { downloadDocuments } from './download-documents.ts';

const paper = collectionKey('paper');
const source = subscriptionId('source');

const wanted = (name: string) => ({
  url: `http://files.example/${name}`,
  isFeed: false,
  lastBuildDate: '2026-01-01T00:00:00Z',
});

/**
 * A fetch in progress and its host with one connection, of which a request takes a slot as one of the network
 * does.
 */
async function underTest(documents: readonly string[], connections = 1) {
  let time = Date.parse('2026-03-01T00:00:00Z');
  const clock = { now: () => new Date(time), wait: async () => {} };
  const store = createMemoryStore({ clock });
  const sent: Job[] = [];
  const hosts = new Hosts(
    { connections, failures: 1, pause: 10_000, longestPause: 10_000 },
    { clock, random: { fraction: () => 0 }, send: (jobs) => void sent.push(...jobs), paused: () => {} },
  );
  const network = createMemoryHttp();
  const inFlight: number[] = [];
  let released = (): void => {};
  for (const name of documents) network.serve(wanted(name).url, () => ({ status: 200, body: name }));
  const http = {
    get: async (request: { readonly url: string }) => {
      const release = hosts.take('files.example');
      inFlight.push(hosts.list()[0]?.inFlight ?? 0);
      // Others have their turn while the request is in flight.
      await new Promise((resolve) => setImmediate(resolve));
      return network.get(request).finally(() => {
        release();
        released();
      });
    },
  };
  await store.subscriptions.put(
    sampleSubscription({
      collection: paper,
      id: source,
      url: 'http://source.example/root',
      createdAt: clock.now(),
    }),
  );
  await store.subscriptions.lease(paper, source, 'm', 60_000);
  const job: DownloadJob = {
    version: 1,
    collection: paper,
    subscription: source,
    manifest: 'm',
    documents: documents.map(wanted),
  };
  return {
    hosts,
    store,
    network,
    inFlight,
    /** What happens whenever a slot has been given back. */
    onRelease: (act: () => void): void => {
      released = act;
    },
    pass: (seconds: number) => void (time += seconds * 1000),
    download: (): Promise<void> => downloadDocuments({ store, http, clock, hosts }, undefined, job),
    /** The outcome of each document: what kind, or the rule that failed. */
    outcomes: async (): Promise<unknown[]> => {
      const found = await store.documents.load(
        paper,
        documents.map((name) => wanted(name).url),
      );
      return documents.map((name) => {
        const outcome = found.get(wanted(name).url)?.outcome;
        return outcome?.kind === 'failed' ? outcome.rule : outcome?.kind;
      });
    },
    /** The documents of the jobs that were sent again. */
    sentAgain: (): string[][] =>
      sent.map((one) => (one.queue === 'download' ? one.data.documents.map(({ url }) => url.slice(21)) : [])),
  };
}

test('documents are downloaded one after the other as far as there are slots', async () => {
  const { download, outcomes, inFlight, sentAgain } = await underTest(['a', 'b', 'c', 'd', 'e'], 2);
  await download();
  expect(await outcomes()).toEqual(Array(5).fill('arrived'));
  expect(Math.max(...inFlight)).toBe(2);
  expect(sentAgain()).toEqual([]);
});

test('header fields that are too long are not kept with a document', async () => {
  const { network, download, outcomes, store } = await underTest(['a', 'b']);
  const headers = {
    etag: `"${'e'.repeat(2000)}"`,
    'last-modified': 'm'.repeat(2000),
    'content-type': `text/${'p'.repeat(2000)}`,
  };
  network.serve(wanted('a').url, () => ({ status: 200, headers, body: 'a' }));
  network.serve(wanted('b').url, () => ({ status: 200, headers: { ...headers, etag: '"1"' }, body: 'b' }));
  await download();
  expect(await outcomes()).toEqual(['arrived', 'arrived']);
  const found = await store.documents.load(paper, [wanted('a').url, wanted('b').url]);
  expect([...found.values()].map(({ copy }) => [copy?.etag, copy?.lastModified, copy?.type])).toEqual([
    [undefined, undefined, undefined],
    ['"1"', undefined, undefined],
  ]);
  expect((await store.contents.list(paper, { limit: 10 })).map(({ type }) => type)).toEqual([
    undefined,
    undefined,
  ]);
});

test('a job whose host has no free slot does nothing but wait for one', async () => {
  const { hosts, download, outcomes, sentAgain } = await underTest(['a', 'b']);
  const release = hosts.take('files.example');
  await download();
  expect(await outcomes()).toEqual([undefined, undefined]);
  release();
  expect(sentAgain()).toEqual([['a', 'b']]);
  await download();
  expect(await outcomes()).toEqual(['arrived', 'arrived']);
});

test('what is left of a job waits for a slot that others have taken meanwhile', async () => {
  const { hosts, onRelease, download, outcomes, sentAgain } = await underTest(['a', 'b', 'c']);
  let release = (): void => {};
  onRelease(() => (release = hosts.take('files.example')));
  await download();
  expect(await outcomes()).toEqual(['arrived', undefined, undefined]);
  release();
  expect(sentAgain()).toEqual([['b', 'c']]);
});

test('a document that leads to a busy host waits there, and its neighbours do not', async () => {
  const { hosts, network, download, outcomes, sentAgain } = await underTest(['a', 'b']);
  const release = hosts.take('busy.example');
  network.serve(wanted('a').url, () => {
    throw new FetchError('host-busy', 'busy.example: no connection is free', { host: 'busy.example' });
  });
  await download();
  expect(await outcomes()).toEqual([undefined, 'arrived']);
  release();
  expect(sentAgain()).toEqual([['a']]);
});

test('documents of a paused host wait for the end of the pause', async () => {
  const { hosts, download, outcomes, pass, sentAgain } = await underTest(['a', 'b']);
  hosts.failed('files.example', 'silent');
  await download();
  expect(await outcomes()).toEqual([undefined, undefined]);
  pass(10);
  hosts.resumeAll();
  expect(sentAgain()).toEqual([['a', 'b']]);
  await download();
  expect(await outcomes()).toEqual(['arrived', 'arrived']);
});

test('documents of a host that is paused again and again fail', async () => {
  const { hosts, download, outcomes, pass, sentAgain } = await underTest(['a', 'b']);
  for (let times = 0; times < 4; times += 1) {
    hosts.failed('files.example', 'silent');
    if (times < 3) pass(10);
  }
  await download();
  expect(await outcomes()).toEqual(['host-paused', 'host-paused']);
  expect(sentAgain()).toEqual([]);
});
