import { expect, test } from '@jest/globals';
import { payloadFromFields } from '#xml';
import { editItem } from '#items';
import { collectionKey, itemId, subscriptionId } from '#core';
import type { CollectionKey, ItemId, Store, StoredItem } from '#core';
import { systemClock } from '#service';
import { sampleSubscription } from '#in-memory';
import { finalizeManifest } from '../../../apps/merger/src/finalize-manifest.ts';
import { entry, feed } from './feed.ts';
import { usePipeline } from './use-pipeline.ts';
import { replaced } from '../../support/replaced.ts';
import { until } from '../../support/until.ts';

const peer = subscriptionId('peer');
const raised = collectionKey('raised');
const sleptKey = collectionKey('slept');
const taken = collectionKey('taken');
const aId = itemId('a');

const pipeline = usePipeline({ FETCH_BATCH_ITEMS: '25' }, 'fetcher', 'merger', 'publisher');

const range = (first: number, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `item-${String(first + index).padStart(4, '0')}`);
const first = (id: string): string => entry(id, ['1 there']);

/** Serves a partial feed and its complete feed, which hold these entries. */
function serve(
  collection: string,
  sharing: { since: string; until: string },
  partial: readonly string[],
  complete: readonly string[],
): void {
  const address = `/${collection}/complete`;
  pipeline.feeds.serve(
    `/${collection}`,
    feed(partial, { ...sharing, complete: pipeline.feeds.url(address) }),
  );
  pipeline.feeds.serve(address, feed(complete, { since: '000', until: sharing.until }));
}

async function update(collection: string, id: string): Promise<void> {
  const found = await pipeline.store.collections.find(collectionKey(collection));
  if (found === undefined) throw new Error(`there is no collection ${collection}`);
  const ports = {
    store: pipeline.store,
    now: () => new Date('2026-01-03T00:00:00Z'),
    publicUrl: 'http://here.example',
  };
  await editItem(ports, found, itemId(id), {
    action: 'update',
    payload: payloadFromFields('atom', { title: `${id} updated here` }),
  });
}

/** Lets a second subscription of the collection bring these entries. */
async function bringBy(other: string, collection: string, entries: readonly string[]): Promise<void> {
  pipeline.feeds.serve(`/${collection}/${other}`, feed(entries));
  const createdAt = new Date();
  await pipeline.store.subscriptions.put(
    sampleSubscription({
      collection: collectionKey(collection),
      id: subscriptionId(other),
      url: pipeline.feeds.url(`/${collection}/${other}`),
      interval: { minimum: 3600, maximum: 86_400 },
      createdAt,
    }),
  );
  await until(
    () => pipeline.store.subscriptions.find(collectionKey(collection), subscriptionId(other)),
    (found) => found?.cursorVersion === 1,
  );
}

/** Looks at the collection again and again while something happens; returns each time's ids. */
async function watch(collection: string, work: () => Promise<unknown>): Promise<Set<string>[]> {
  const observations: Set<string>[] = [];
  const end = new AbortController();
  const watching = (async () => {
    do
      observations.push(
        new Set(
          (await pipeline.store.items.list(collectionKey(collection), { limit: 10_000 })).map(({ id }) => id),
        ),
      );
    while (!end.signal.aborted);
  })();
  await work().finally(() => end.abort());
  await watching;
  return observations;
}

const missing = (expected: Iterable<string>, observed: ReadonlySet<string>): string[] =>
  [...expected].filter((id) => !observed.has(id));

test(
  "a subscriber that slept past the window ends with the publisher's items, its own edits and what " +
    'others brought, and never shows fewer',
  async () => {
    const [staying, removed, added] = [range(0, 300), range(300, 150), range(1000, 200)];
    const [updatedHere, broughtTwice] = [removed.slice(0, 5), removed.slice(5, 15)];
    serve('slept', { since: '000', until: '100' }, [], [...staying, ...removed].map(first));
    await pipeline.subscribe('slept');
    expect(await pipeline.fetch('slept')).toMatchObject({ cursor: { until: '100' }, last: { items: 450 } });
    await bringBy('other', 'slept', [...broughtTwice, 'theirs'].map(first));
    await pipeline.create('slept', 'ours');
    for (const id of updatedHere) await update('slept', id);
    await pipeline.published(sleptKey);
    const before = new Set(
      (await pipeline.store.items.list(sleptKey, { limit: 10_000 })).map(({ id }) => id),
    );
    const discarded = removed.slice(15);

    // The partial feed brings one item again and a new one; the complete feed has all but what was removed.
    serve(
      'slept',
      { since: '200', until: '300' },
      [...staying.slice(0, 1), ...added.slice(-1)].map(first),
      [...staying, ...added].map(first),
    );
    const observations = await watch('slept', async () => {
      expect(await pipeline.fetch('slept')).toMatchObject({
        cursor: { until: '300' },
        cursorVersion: 2,
        failures: 0,
        last: { outcome: 'fetched', rejected: 0 },
      });
    });

    const expected = [...staying, ...added, ...updatedHere, ...broughtTwice, 'ours', 'theirs'];
    expect(Object.keys(await pipeline.items('slept')).toSorted()).toEqual(expected.toSorted());
    const kept = missing(before, new Set(discarded));
    for (const observed of observations) {
      expect(missing(kept, observed)).toEqual([]);
      // Nothing is discarded before all of the complete feed is there.
      if (missing(discarded, observed).length > 0) expect(missing(added, observed)).toEqual([]);
    }
    expect(observations.length).toBeGreaterThan(2);

    const resynced = (await pipeline.published(sleptKey)).find(
      ({ type }) => type === 'feedmesh.subscription.resynced.v1',
    );
    expect(resynced).toMatchObject({ subject: 'peer', data: { discarded: discarded.length } });
    const stored = await pipeline.store.items.load(sleptKey, [...updatedHere, ...broughtTwice].map(itemId));
    for (const id of updatedHere) expect(stored.get(itemId(id))?.sources).toEqual([]);
    for (const id of broughtTwice)
      expect(stored.get(itemId(id))?.sources).toEqual([expect.objectContaining({ subscription: 'other' })]);
  },
);

test(
  'what was discarded leaves our own feed by raising its since, and comes in again when the publisher ' +
    'has it again',
  async () => {
    serve('raised', { since: '000', until: '100' }, [], ['a', 'b', 'c'].map(first));
    await pipeline.subscribe('raised');
    await pipeline.fetch('raised');
    await pipeline.published(raised);
    const [discarded] = (await pipeline.store.items.load(raised, [itemId('c')])).values();
    expect(discarded?.sequence).toBeGreaterThan(0);

    serve('raised', { since: '200', until: '300' }, [], ['a', 'b'].map(first));
    await pipeline.fetch('raised');
    expect(Object.keys(await pipeline.items('raised'))).toEqual(['a', 'b']);
    expect((await pipeline.store.collections.find(raised))?.publication.since).toBe(discarded?.sequence);

    serve('raised', { since: '250', until: '400' }, ['c'].map(first), []);
    await pipeline.fetch('raised');
    expect(await pipeline.items('raised')).toMatchObject({
      a: { revision: 1 },
      b: { revision: 1 },
      c: { revision: 1 },
    });
  },
);

test('an item whose version in the complete feed is rejected stays as it was', async () => {
  serve('rejected', { since: '000', until: '100' }, [], ['a', 'b', 'c'].map(first));
  await pipeline.subscribe('rejected');
  await pipeline.fetch('rejected');
  const bad = first('b').replace('updates="1"', 'updates="0"');
  serve('rejected', { since: '200', until: '300' }, [], [first('a'), bad]);
  expect(await pipeline.fetch('rejected')).toMatchObject({
    last: { outcome: 'fetched', rejected: 1 },
    cursor: { until: '300' },
  });
  expect(Object.keys(await pipeline.items('rejected'))).toEqual(['a', 'b']);
});

test('without a complete feed nothing is discarded; it is merged, and the subscription says so', async () => {
  pipeline.feeds.serve('/partial', feed(['a', 'b'].map(first), { since: '000', until: '100' }));
  await pipeline.subscribe('partial');
  expect((await pipeline.fetch('partial')).last).not.toHaveProperty('violations');
  pipeline.feeds.serve('/partial', feed(['c'].map(first), { since: '200', until: '300' }));
  expect(await pipeline.fetch('partial')).toMatchObject({
    cursor: { until: '300' },
    last: {
      outcome: 'fetched',
      violations: [{ rule: 'out-of-sync-no-complete', section: 'FeedSync 4.1.2', severity: 'warning' }],
    },
  });
  expect(Object.keys(await pipeline.items('partial'))).toEqual(['a', 'b', 'c']);
});

test.each([
  ['absent', { status: 404 }],
  ['cut off', feed(['a'].map(first)).slice(0, -20)],
] as const)(
  'while the complete feed is %s, nothing is discarded and the cursor stays',
  async (what, answer) => {
    const collection = what.replace(' ', '-');
    serve(collection, { since: '000', until: '100' }, [], ['a', 'b'].map(first));
    await pipeline.subscribe(collection);
    await pipeline.fetch(collection);
    serve(collection, { since: '200', until: '300' }, ['c'].map(first), []);
    pipeline.feeds.serve(`/${collection}/complete`, answer);
    expect(await pipeline.fetch(collection)).toMatchObject({
      failures: 1,
      last: { outcome: 'failed' },
      cursor: { until: '100' },
      cursorVersion: 1,
    });
    expect(Object.keys(await pipeline.items(collection))).toEqual(expect.arrayContaining(['a', 'b']));
    serve(collection, { since: '200', until: '300' }, ['c'].map(first), ['b', 'c'].map(first));
    expect(await pipeline.fetch(collection)).toMatchObject({
      failures: 0,
      cursor: { until: '300' },
      cursorVersion: 2,
    });
    expect(Object.keys(await pipeline.items(collection))).toEqual(['b', 'c']);
  },
);

test('a feed that says nothing of its window for once does not hide a gap', async () => {
  serve('silent', { since: '000', until: '100' }, [], ['a', 'b'].map(first));
  await pipeline.subscribe('silent');
  await pipeline.fetch('silent');
  pipeline.feeds.serve('/silent', feed(['b'].map(first)));
  expect(await pipeline.fetch('silent')).toMatchObject({ cursor: { until: '100' }, cursorVersion: 2 });
  serve('silent', { since: '200', until: '300' }, ['c'].map(first), ['b', 'c'].map(first));
  expect(await pipeline.fetch('silent')).toMatchObject({ cursor: { until: '300' } });
  expect(Object.keys(await pipeline.items('silent'))).toEqual(['b', 'c']);
});

test.each([
  ['a document that could not be read', 'broken'],
  ['another url', 'former'],
])('after %s, the first reading takes the complete feed', async (_before, collection) => {
  const url = pipeline.feeds.url(`/${collection}`);
  const former = pipeline.feeds.url(`/${collection}-1`);
  pipeline.feeds.serve(`/${collection}`, { headers: { etag: '"1"' }, body: '<feed' });
  pipeline.feeds.serve(`/${collection}-1`, feed(['z'].map(first)));
  const isMoving = collection === 'former';
  await pipeline.subscribe(collection, undefined, { url: isMoving ? former : url });
  expect(await pipeline.fetch(collection)).toMatchObject({ failures: isMoving ? 0 : 1 });
  serve(collection, { since: '100', until: '200' }, ['b'].map(first), ['a', 'b'].map(first));
  if (isMoving) await pipeline.subscribe(collection);
  expect(await pipeline.fetch(collection)).toMatchObject({ failures: 0, cursor: { until: '200' } });
  expect(Object.keys(await pipeline.items(collection))).toEqual(isMoving ? ['a', 'b', 'z'] : ['a', 'b']);
});

/** Brings a resync to where only finalizing is left, which then waits for nobody. */
async function unfinishedResync(
  collection: CollectionKey,
  staying: readonly ItemId[],
  removed: readonly string[],
): Promise<{ job: Parameters<typeof finalizeManifest>[1]; manifest: string }> {
  const { store } = pipeline;
  serve(collection, { since: '000', until: '100' }, [], [...staying, ...removed].map(first));
  await pipeline.subscribe(collection);
  await pipeline.fetch(collection);
  await pipeline.published(collection);
  const now = new Date();
  const manifest = `resync-of-${collection}`;
  await store.subscriptions.lease(collection, peer, manifest, 600_000);
  const stored = await store.items.load(collection, staying);
  await store.items.remember(
    collection,
    [...stored].map(([id, { sources }]) => ({
      id,
      subscription: peer,
      digest: sources[0]?.digest ?? '',
      fetchPass: `${manifest}.complete`,
    })),
  );
  // With one batch that is never done, no merger finalizes it before the test does.
  await store.manifests.open({
    id: manifest,
    collection,
    subscription: peer,
    openedAt: now,
    touchedAt: now,
    done: [],
    rejected: 0,
  });
  await store.manifests.seal(
    collection,
    manifest,
    {
      cursor: { until: '300' },
      batches: 1,
      items: staying.length,
      known: staying.length,
      resynced: true,
      nextFetchAt: new Date(now.getTime() + 3_600_000),
      nextFetchReason: 'a test says so',
    },
    now,
  );
  return { job: { version: 1, collection, manifest }, manifest };
}

/** The store as the merger has it in this test: the manifest is whole for it alone. */
function finalizingStore(collection: string, manifest: string) {
  const { store } = pipeline;
  const manifests = replaced(store.manifests, 'find', async () => {
    const found = await store.manifests.find(collectionKey(collection), manifest);
    return found && { ...found, done: [0] };
  });
  return { ...store, manifests };
}

test.each(['before', 'after'] as const)(
  'a merger that dies %s any step of the sweep leaves it to the next one, with the same end',
  async (moment) => {
    const collection = collectionKey(`dies-${moment}`);
    const [staying, removed] = [range(0, 5), range(100, 130)];
    const { job, manifest } = await unfinishedResync(collection, staying.map(itemId), removed);
    await update(collection, removed[0] ?? '');
    const store = finalizingStore(collection, manifest);
    const { queue } = pipeline;
    /** Dies at the first call of a step. */
    const dying = <Port extends object>(port: Port, name: keyof Port): Port => {
      const method = port[name] as (...parameters: unknown[]) => Promise<unknown>;
      return replaced(port, name, (async (...parameters: unknown[]) => {
        if (moment === 'after') await method.apply(port, parameters);
        throw new Error('the merger dies');
      }) as Port[keyof Port]);
    };
    const deaths = [
      { ...store, items: dying(store.items, 'unseen') },
      { ...store, items: dying(store.items, 'forget') },
      { ...store, collections: dying(store.collections, 'raiseSince') },
      { ...store, items: dying(store.items, 'remove') },
    ];
    const ending = { ...store, subscriptions: dying(store.subscriptions, 'completePublished') };
    const finalize = (by: Store): Promise<void> =>
      finalizeManifest({ store: by, queue, clock: systemClock, publicUrl: 'http://here.example' }, job);
    for (const dead of moment === 'before' ? [...deaths, ending] : deaths) {
      await expect(finalize(dead)).rejects.toThrow('the merger dies');
      expect(await pipeline.subscription(collection)).toMatchObject({
        manifest,
        cursor: { until: '100' },
        cursorVersion: 1,
      });
      expect(missing(staying, new Set(Object.keys(await pipeline.items(collection))))).toEqual([]);
    }
    if (moment === 'after') await expect(finalize(ending)).rejects.toThrow('the merger dies');
    await finalize(store);
    expect(await pipeline.subscription(collection)).toMatchObject({
      cursor: { until: '300' },
      cursorVersion: 2,
    });
    expect(Object.keys(await pipeline.items(collection)).toSorted()).toEqual(
      [...staying, ...removed.slice(0, 1)].toSorted(),
    );
    const events = await pipeline.published(collection);
    expect(events.filter(({ type }) => type === 'feedmesh.subscription.resynced.v1')).toHaveLength(1);
  },
);

test('at no step of the sweep is a published item gone that `since` is still below', async () => {
  const collection = collectionKey('steps');
  const { job, manifest } = await unfinishedResync(collection, [aId], range(100, 130));
  const published = await pipeline.store.items.list(collection, { limit: 1000 });
  const sequences = new Map(published.map(({ id, sequence = 0 }) => [id, sequence]));
  let steps = 0;
  let raisedTo = 0;
  const look = async (): Promise<void> => {
    const held = await pipeline.items(collection);
    const { since } = (await pipeline.store.collections.find(collection))?.publication ?? { since: 0 };
    expect([...sequences].filter(([id, sequence]) => !(id in held) && sequence > since)).toEqual([]);
    steps += 1;
    raisedTo = since;
  };
  /** The port with a look after each of its calls. */
  const watched = <Port extends object>(port: Port): Port =>
    new Proxy(port, {
      get(target, key) {
        const member: unknown = Reflect.get(target, key, target);
        return typeof member !== 'function'
          ? member
          : async (...parameters: unknown[]): Promise<unknown> => {
              const result: unknown = await Reflect.apply(member, target, parameters);
              await look();
              return result;
            };
      },
    });
  const { items, collections, ...others } = finalizingStore(collection, manifest);
  const store = { ...others, items: watched(items), collections: watched(collections) };
  const { queue } = pipeline;
  await finalizeManifest({ store, queue, clock: systemClock, publicUrl: 'http://here.example' }, job);
  expect(Object.keys(await pipeline.items(collection))).toEqual(['a']);
  // Two pages of items, each with a step for the looking, the raising and the removing.
  expect(steps).toBeGreaterThanOrEqual(6);
  expect(raisedTo).toBe(Math.max(...sequences.values()));
});

test('an item stays if another subscription brings it, or an edit, while the sweep looks at it', async () => {
  const { job, manifest } = await unfinishedResync(collectionKey('races'), [aId], ['b', 'c', 'd']);
  const store = finalizingStore('races', manifest);
  let looks = 0;
  const items = replaced(store.items, 'unseen', async (...question): Promise<StoredItem[]> => {
    const page = await store.items.unseen(...question);
    looks += 1;
    if (looks > 1) return page;
    await update('races', 'b');
    await store.items.remember(collectionKey('races'), [
      { id: itemId('c'), subscription: subscriptionId('other'), digest: 'theirs' },
    ]);
    return page;
  });
  await finalizeManifest(
    {
      store: { ...store, items },
      queue: pipeline.queue,
      clock: systemClock,
      publicUrl: 'http://here.example',
    },
    job,
  );
  expect(Object.keys(await pipeline.items('races'))).toEqual(['a', 'b', 'c']);
  expect(await pipeline.subscription('races')).toMatchObject({ cursor: { until: '300' } });
});

test('a sweep whose fetch was taken over discards nothing', async () => {
  const { job, manifest } = await unfinishedResync(taken, [aId], ['b']);
  const store = finalizingStore('taken', manifest);
  const items = replaced(store.items, 'unseen', async (...question): Promise<StoredItem[]> => {
    const at = systemClock.now();
    await pipeline.store.subscriptions.complete(taken, peer, manifest, {
      report: { at, outcome: 'failed' },
      // Not due: the fetcher must not take it before this test does.
      nextFetchAt: new Date(at.getTime() + 3_600_000),
      nextFetchReason: 'it was given up',
    });
    await pipeline.store.subscriptions.lease(taken, peer, 'the next', 600_000);
    return store.items.unseen(...question);
  });
  await finalizeManifest(
    {
      store: { ...store, items },
      queue: pipeline.queue,
      clock: systemClock,
      publicUrl: 'http://here.example',
    },
    job,
  );
  expect(Object.keys(await pipeline.items('taken'))).toEqual(['a', 'b']);
  expect(await pipeline.subscription('taken')).toMatchObject({
    manifest: 'the next',
    cursor: { until: '100' },
    cursorVersion: 1,
  });
});
