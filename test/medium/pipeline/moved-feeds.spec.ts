import { expect, test } from '@jest/globals';
import { collectionKey, subscriptionId } from '#core';
import type { Subscription } from '#core';
import { entry, feed } from './feed.ts';
import { usePipeline } from './use-pipeline.ts';
import { until } from '../../support/until.ts';

const peer = subscriptionId('peer');

const pipeline = usePipeline({ FETCH_MOVED_SECONDS: '0.001' }, 'fetcher', 'merger', 'publisher');

const found = (collection: string): Promise<Subscription | undefined> =>
  pipeline.store.subscriptions.find(collectionKey(collection), peer);

/** Redirects a feed with these statuses, one after another, and fetches it again and again. */
async function redirect(collection: string, ...statuses: readonly number[]): Promise<void> {
  const places = [collection, ...statuses.map((_, place) => `${collection}-${place}`)];
  for (const [place, status] of statuses.entries())
    pipeline.feeds.serve(`/${places[place]}`, {
      status,
      headers: { location: pipeline.feeds.url(`/${places[place + 1]}`) },
    });
  pipeline.feeds.serve(`/${places.at(-1)}`, feed([entry('a', ['1 there'])]));
  await pipeline.subscribe(collection, { minimum: 1, maximum: 1 });
}

test.each([301, 308])('a feed that is redirected by %i for long enough has moved', async (status) => {
  const collection = `moved-${status}`;
  await redirect(collection, status, 302);
  const to = pipeline.feeds.url(`/${collection}-0`);
  const moved = await until(
    () => found(collection),
    (subscription) => subscription?.url === to,
  );
  expect(moved).not.toHaveProperty('move');
  const events = await until(
    () => pipeline.relayed(collection),
    (all) => all.some(({ type }) => type === 'feedmesh.subscription.moved.v1'),
  );
  expect(events.find(({ type }) => type.includes('moved'))?.data).toEqual({
    subscription: 'peer',
    url: to,
    formerUrl: pipeline.feeds.url(`/${collection}`),
  });
});

test.each([302, 303, 307])('one that is redirected by %i has not', async (status) => {
  const collection = `stays-${status}`;
  await redirect(collection, status, 301);
  await until(
    async () => pipeline.feeds.requests(`/${collection}`).length,
    (count) => count >= 3,
  );
  const subscription = await found(collection);
  expect(subscription?.url).toBe(pipeline.feeds.url(`/${collection}`));
  expect(subscription).not.toHaveProperty('move');
});
