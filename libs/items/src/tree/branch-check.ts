import { nameOf } from '#core';
import type { CollectionKey, ItemId, Store } from '#core';
import { InvalidEditError } from '#protocol';
import type { EditPorts } from '../edit-ports.ts';
import { feedsAbove } from './feeds-above.ts';
import type { TreeValues } from '#core';
import { treeItemId } from '#cse';
import type { LinksInput } from './links-input.ts';

/**
 * Checks what an item of a tree of our own is to be (CSE, nestedFeed).
 * @throws InvalidEditError for a feed that is missing or is another one than before, for an id that is
 *   not that of feed and guid, for a second nested feed, and for one that the item itself stands in or below
 */
export async function checkBranch(
  { store }: EditPorts,
  collection: CollectionKey,
  id: ItemId,
  { feed, guid, links }: TreeValues,
  input: LinksInput,
): Promise<void> {
  if (input.feed !== undefined && input.feed !== feed)
    throw new InvalidEditError(
      `The item "${id}" stands in the feed "${feed}" and can't go to another one; delete it and create ` +
        'one there.',
    );
  if (id !== treeItemId(feed, guid))
    throw new InvalidEditError(
      `The item with the guid "${guid}" in the feed "${feed}" has the id "${treeItemId(feed, guid)}", ` +
        `not "${id}".`,
    );
  if (!(await store.feeds.load(collection, [feed])).has(feed))
    throw new InvalidEditError(`The collection "${nameOf(collection)}" has no feed "${feed}".`);
  const [nested, second] = links.filter(({ nestedFeed }) => nestedFeed);
  if (second !== undefined)
    throw new InvalidEditError(
      'One csx:link of an item may be a nested feed; this item has more (rule "cse-nested-feed-multiple").',
    );
  if (nested?.target !== undefined && 'feed' in nested.target)
    await checkNested(store.items, collection, feed, nested.target.feed);
}

/**
 * Throws `InvalidEditError` for a guid that another live item of the tree has (CSE, guid). Two that are
 * created at the same time may both get it.
 */
export async function checkGuid(
  { store }: EditPorts,
  collection: CollectionKey,
  id: ItemId,
  guid: string,
): Promise<void> {
  const [other] = (await store.items.withGuid(collection, guid)).filter((one) => one !== id);
  if (other !== undefined)
    throw new InvalidEditError(
      `The item "${other}" has the guid "${guid}"; a guid is unique within the tree (rule ` +
        '"cse-guid-unique").',
    );
}

/** A feed in itself, or below itself, is legal and ends every walk; nobody can want it. */
async function checkNested(
  items: Store['items'],
  collection: CollectionKey,
  feed: string,
  nested: string,
): Promise<void> {
  if ((await feedsAbove(items, collection, [feed])).has(nested))
    throw new InvalidEditError(
      `The feed "${nested}" can't be nested in the feed "${feed}", which is that feed itself or below it.`,
    );
}
