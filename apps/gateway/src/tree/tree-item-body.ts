import type { TreeItemBody } from '#contracts';
import { treeItemFields } from '#contracts';
import { readCsePayload, feedAddress, treeItemId } from '#cse';
import type { Payload } from '#xml';
import { isFeedTree, protocolOf } from '#protocols';
import type { LinkInput, LinksInput } from '#items';
import { rootFeed } from '#core';
import type { Collection, ItemId, Steps } from '#core';
import type { GatewayPorts } from '../gateway-ports.ts';
import { invalidInput } from '../problems/problem-error.ts';

/** What only items with versions have. */
const sharedFields = ['noconflicts', 'deleted', 'parent', 'position'];

/**
 * Throws `ProblemError` 400 for fields that the items of this collection don't have; `deleted: false` is one
 * of every item.
 */
export function checkItemFields(collection: Collection, fields: Readonly<Record<string, unknown>>): void {
  const foreign = isFeedTree(collection) ? sharedFields : Object.keys(treeItemFields);
  const faults = foreign
    .filter((name) => fields[name] !== undefined && !(name === 'deleted' && fields[name] === false))
    .map((name) => ({
      path: `body.${name}`,
      message: `an item of a collection of the protocol ${collection.protocol} has no ${name}`,
    }));
  if (faults.length > 0) throw invalidInput(faults);
}

/** What an edit says of an item in its tree; undefined if it says nothing. */
export function linksInput({ feed, guid, hidden, links }: TreeItemBody): LinksInput | undefined {
  if (feed === undefined && guid === undefined && hidden === undefined && links === undefined)
    return undefined;
  return {
    ...(feed !== undefined && { feed }),
    ...(guid !== undefined && { guid }),
    ...(hidden !== undefined && { hidden }),
    ...(links && { links: links.filter(({ inside }) => inside === undefined).map(linkInput) }),
  };
}

function linkInput({
  file,
  name,
  feed,
  url = '',
  nestedFeed,
  onDemand,
}: NonNullable<TreeItemBody['links']>[number]): LinkInput {
  const mark = onDemand === undefined ? {} : { onDemand };
  if (feed !== undefined) return { feed, ...mark };
  if (file === undefined) return { url, ...(nestedFeed !== undefined && { nestedFeed }), ...mark };
  const shown = typeof file === 'string' ? { digest: file } : file;
  const ending = name ?? shown.name;
  return { file: shown.digest, ...(ending !== undefined && { name: ending }), ...mark };
}

/**
 * The id of a new item of a tree, and what is said of it there: its guid is the one that is requested, or
 * that of the payload, or one that is made here. Throws `ProblemError` 400 for an id of the client's choice,
 * and `FeedError`.
 */
export function* newTreeItem(
  { publicUrl, random }: GatewayPorts,
  collection: Collection,
  { id, payload, tree = {} }: { readonly id?: ItemId; readonly payload: Payload; readonly tree?: LinksInput },
): Steps<{ readonly id: ItemId; readonly tree: LinksInput }> {
  if (id !== undefined)
    throw invalidInput([
      { path: 'body.id', message: 'the id of an item of a tree is made of its feed and its guid' },
    ]);
  const { key, format, protocol, endpoint } = collection;
  const { feed = rootFeed } = tree;
  let { guid } = tree;
  if (guid === undefined) {
    const converted = protocolOf({ protocol }).payloadIn(payload, format);
    yield;
    guid = (yield* readCsePayload(converted, feedAddress(publicUrl, key, feed))).guid;
  }
  guid ??= `${endpoint}.${random.identifier()}`;
  return { id: treeItemId(feed, guid), tree: { ...tree, feed, guid } };
}
