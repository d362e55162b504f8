import { collectionKey, itemId, subscriptionId } from '#core';
import { sampleSubscription } from '#in-memory';
import { sweep } from '../../../apps/merger/src/sweep.ts';
import type { Cost, CountedStore } from './counted-store.ts';

const peer = subscriptionId('peer');
const manifest = 'the-resync';

/** Makes a collection of so many items, every other one of which a resync in progress has not brought. */
export async function collectResynced(under: CountedStore, name: string, count: number): Promise<void> {
  const { store, time } = under;
  const collection = collectionKey(name);
  await under.collect(name);
  await store.subscriptions.put(
    sampleSubscription({
      collection,
      id: peer,
      url: 'http://there.example/feed',
      interval: { minimum: 3600, maximum: 86_400 },
      createdAt: time,
    }),
  );
  await store.subscriptions.lease(collection, peer, manifest, 600_000);
  await under.edit(name, 'template', 'create');
  const [template] = (await store.items.load(collection, [itemId('template')])).values();
  if (template === undefined) throw new Error('there is no template');
  const { sequence: _sequence, revision: _revision, ...rest } = template;
  // As if another endpoint had made it.
  const content = JSON.parse(
    JSON.stringify(rest.content).replaceAll('test:here', 'test:there'),
  ) as typeof rest.content;
  for (let start = 0; start < count; start += 500)
    await store.items.compareAndSet(
      Array.from({ length: Math.min(500, count - start) }, (_, place) => {
        const number = start + place;
        const fetchPass = number % 2 === 0 ? `${manifest}.complete` : 'an-earlier-one.feed';
        return {
          expected: 0,
          item: {
            ...rest,
            id: itemId(`item-${String(number).padStart(6, '0')}`),
            content,
            subscription: peer,
            sources: [{ subscription: peer, digest: 'd', fetchPass }],
          },
        };
      }),
    );
}

/** Sweeps such a collection; says what that cost and how many items are gone. */
export async function sweepResynced(
  under: CountedStore,
  name: string,
): Promise<Cost & { readonly discarded: number | undefined }> {
  const collection = await under.found(name);
  let discarded: number | undefined;
  const cost = await under.cost(async () => {
    discarded = await sweep(under.store, collection, {
      id: manifest,
      collection: collection.key,
      subscription: peer,
      openedAt: under.time,
      rejected: 0,
    });
  });
  return { ...cost, discarded };
}
