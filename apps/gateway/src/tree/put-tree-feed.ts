import type { TreeFeedBody } from '#contracts';
import { payloadFromFields } from '#xml';
import { nameOf, rootFeed } from '#core';
import type { CollectionKey, TreeFeed } from '#core';
import type { GatewayPorts } from '../gateway-ports.ts';
import { ProblemError } from '../problems/problem-error.ts';
import { findOwnTree } from './find-tree.ts';
import { headFields } from './tree-feed-view.ts';

/** Creates a feed in a tree of our own, or changes what it says of itself. Throws as `findOwnTree` does. */
export async function putTreeFeed(
  ports: GatewayPorts,
  collection: CollectionKey,
  id: string,
  { title, description, link }: TreeFeedBody,
): Promise<{ created: boolean; feed: TreeFeed }> {
  const {
    store: { feeds },
    clock,
    jobs,
  } = ports;
  await findOwnTree(ports, collection);
  const existing = (await feeds.load(collection, [id])).get(id);
  const { content: oldDescription, link: oldLink, ...others } = headFields(existing?.head ?? []);
  const [content, page] = [changed(oldDescription, description), changed(oldLink, link)];
  const head = payloadFromFields('rss', {
    ...others,
    ...(content !== undefined && { content }),
    ...(page !== undefined && { link: page }),
  }).children.map(({ xml }) => xml);
  const feed = {
    collection,
    id,
    title: title ?? existing?.title ?? id,
    head,
    createdAt: existing?.createdAt ?? clock.now(),
  };
  const created = await feeds.put(feed);
  if (!created) jobs.publish(collection);
  return { created, feed: (await feeds.load(collection, [id])).get(id) ?? feed };
}

/**
 * Removes a feed that nothing is in and nothing links to. Throws as `findOwnTree` does, `ProblemError` 404
 * for no such feed, 409 for one that is needed.
 */
export async function removeTreeFeed(
  ports: GatewayPorts,
  collection: CollectionKey,
  id: string,
): Promise<void> {
  const { items, feeds } = ports.store;
  await findOwnTree(ports, collection);
  const refuse = (reason: string): ProblemError =>
    new ProblemError(409, 'feed-in-use', `The feed "${id}" of the tree "${nameOf(collection)}" ${reason}.`);
  if (id === rootFeed) throw refuse('is its root, which goes with the collection');
  const live = (await items.children(collection, [id])).filter(({ deleted }) => !deleted).length;
  if (live > 0) throw refuse(`has ${live} items; delete them first`);
  const [linking] = await items.linking(collection, [id]);
  if (linking !== undefined) throw refuse(`is nested in the item "${linking.id}"; take that link away first`);
  if (!(await feeds.remove(collection, id)))
    throw new ProblemError(404, 'feed-not-found', `The tree "${nameOf(collection)}" has no feed "${id}".`);
}

function changed<Value>(value: Value | undefined, change: Value | null | undefined): Value | undefined {
  return change === undefined ? value : (change ?? undefined);
}
