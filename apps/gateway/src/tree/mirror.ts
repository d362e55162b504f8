import { forgetSource } from '#items';
import { nameOf, pagesOf } from '#core';
import type { CollectionKey, Store } from '#core';
import type { GatewayPorts } from '../gateway-ports.ts';
import { ProblemError } from '../problems/problem-error.ts';

/** How many feeds are read in one go. */
const batch = 1000;

/**
 * Throws `ProblemError` 409 if a tree can't be a mirror: if it is that of another subscription, and
 * if it has items of its own.
 * @param id of the subscription
 */
export async function checkMirror(
  { store }: Pick<GatewayPorts, 'store'>,
  collection: CollectionKey,
  id: string,
): Promise<void> {
  const subscription = (await store.subscriptions.list(collection, { limit: 2 })).find(
    (other) => other.id !== id,
  );
  if (subscription !== undefined)
    throw new ProblemError(
      409,
      'mirror',
      `The collection "${nameOf(collection)}" is a mirror of ${subscription.url} already (subscription ` +
        `"${subscription.id}"): a tree has one source.`,
    );
  const [item] = await store.items.list(collection, { limit: 1, deleted: false });
  if (item !== undefined)
    throw new ProblemError(
      409,
      'own-items',
      `The collection "${nameOf(collection)}" has items of its own, such as "${item.id}": only an empty ` +
        'tree becomes a mirror.',
    );
}

/**
 * Makes a tree that was a mirror our own: forgets what the cache knows of its source, while items, feeds and
 * files stay. A second time changes nothing.
 */
export async function endMirror(
  { subscriptions, documents, feeds }: Pick<Store, 'subscriptions' | 'documents' | 'feeds'>,
  collection: CollectionKey,
): Promise<void> {
  if ((await subscriptions.list(collection, { limit: 1 })).length > 0) return;
  await forgetSource({ subscriptions, documents }, collection);
  const pages = pagesOf(
    (page) => feeds.list(collection, page),
    ({ id }) => id,
    batch,
  );
  for await (const page of pages)
    for (const { url: _url, publishedAt: _publishedAt, ...feed } of page) await feeds.put(feed);
}
