import { readCsePayload, feedAddress, targetAddress, treeContent } from '#cse';
import type { Payload } from '#xml';
import { inSlices, nameOf, rootFeed } from '#core';
import type { Collection, CollectionKey, ItemId, TreeContent, StoredItem, TreeLink } from '#core';
import { InvalidEditError } from '#protocol';
import type { EditPorts } from '../edit-ports.ts';
import type { ItemEdit } from '../requested-placement.ts';
import type { Edit } from '#protocol';
import { checkBranch, checkGuid } from './branch-check.ts';
import { firstPosition } from './first-position.ts';
import { withLinkChildren, withoutBuildDate, withoutLinkChildren } from './link-children.ts';
import { draftOf, draftOfUrl, linksOf } from './link-target.ts';
import type { LinkInput, LinksInput } from './links-input.ts';

/** The text and the links of an item, and what a payload says of it. */
interface LinkedReading extends Pick<TreeContent, 'data' | 'links'> {
  readonly guid?: string;
  readonly hidden?: boolean;
}

type ChangingEdit = Extract<ItemEdit, { action: 'create' | 'update' | 'undelete' }>;

/**
 * An edit of an item in a tree of our own with all that it comes to: its links, and what of ours they lead to
 * (CSE, Extensions). A new item stands first in its feed.
 * @param stored the item as it is; undefined for a new one
 * @throws InvalidEditError for what the tree can't have: see `checkBranch`, `checkGuid` and `linksOf`;
 *   FeedError for a csx:link in the payload that breaks a rule
 */
export async function treeEditOf(
  ports: EditPorts,
  collection: Collection,
  id: ItemId,
  edit: ItemEdit,
  stored: StoredItem | undefined,
): Promise<Edit> {
  await checkOwn(ports, collection.key);
  if (edit.action === 'delete' || edit.action === 'resolve') {
    if (edit.tree !== undefined)
      throw new InvalidEditError(
        `To ${edit.action} an item says nothing of its feed or its links; update it to change them.`,
      );
    return edit;
  }
  const local = stored && treeContent(stored.content);
  const input = edit.tree ?? {};
  const feed = local?.feed ?? input.feed ?? rootFeed;
  const { data, links, guid: said, hidden: marked } = await linkedData(ports, collection, feed, edit, local);
  const guid = guidOf(input, said, local);
  const hidden = input.hidden ?? (marked === true || local?.hidden === true);
  const branch = { feed, guid, hidden, links };
  await checkBranch(ports, collection.key, id, branch, input);
  if (stored === undefined || stored.deleted) await checkGuid(ports, collection.key, id, guid);
  if (edit.action === 'create')
    return {
      ...edit,
      payload: data,
      branch,
      position: await firstPosition(ports.store.items, collection.key, feed),
    };
  return { ...edit, payload: data, branch };
}

async function checkOwn({ store }: EditPorts, collection: CollectionKey): Promise<void> {
  const [subscription] = await store.subscriptions.list(collection, { limit: 1 });
  if (subscription !== undefined)
    throw new InvalidEditError(
      `The collection "${nameOf(collection)}" is a mirror of ${subscription.url}; its items are the ` +
        "publisher's.",
    );
}

/** The text of the item after the edit, its links, and what a new payload says of the item. */
async function linkedData(
  ports: EditPorts,
  collection: Collection,
  feed: string,
  { payload, tree }: ChangingEdit,
  local: TreeContent | undefined,
): Promise<LinkedReading> {
  const before = payload === undefined ? local : { data: withoutBuildDate(payload), links: [] };
  if (before === undefined) throw new TypeError('A new item has a payload.');
  const kept = tree?.links === undefined ? before : withoutLinkChildren(before);
  const parsed = payload === undefined ? kept : await readLinked(ports, collection, feed, kept.data);
  return tree?.links === undefined ? parsed : withLinks(ports, collection, parsed, tree.links);
}

async function readLinked(
  ports: EditPorts,
  collection: Collection,
  feed: string,
  data: Payload,
): Promise<LinkedReading> {
  const {
    links: occurrences,
    guid,
    hidden,
  } = await inSlices(readCsePayload(data, feedAddress(ports.publicUrl, collection.key, feed)));
  const links = await linksOf(
    ports,
    collection,
    occurrences.map((link) => draftOfUrl(link, ports.publicUrl, collection.key)),
  );
  return {
    data,
    links: occurrences.flatMap(({ place }, index) =>
      links.slice(index, index + 1).map((link) => ({ place, ...link })),
    ),
    guid,
    hidden,
  };
}

async function withLinks(
  ports: EditPorts,
  collection: Collection,
  linked: LinkedReading,
  requested: readonly LinkInput[],
): Promise<LinkedReading> {
  const links = await linksOf(
    ports,
    collection,
    requested.map((input) => draftOf(input, ports.publicUrl, collection.key)),
  );
  return {
    ...linked,
    ...withLinkChildren(
      linked,
      links.map((link) => ({ ...link, address: addressOf(link, ports.publicUrl, collection.key) })),
    ),
  };
}

function addressOf(
  { url, target }: Pick<TreeLink, 'url' | 'target'>,
  publicUrl: string,
  collection: CollectionKey,
): string {
  return target === undefined ? (url ?? '') : targetAddress(publicUrl, collection, target);
}

/** The identity of the item: what it is, or what the edit and its payload say in accord. */
function guidOf(
  { guid: requested }: LinksInput,
  said: string | undefined,
  local: TreeContent | undefined,
): string {
  const guid = local?.guid ?? requested ?? said;
  if (guid === undefined || guid === '')
    throw new InvalidEditError('An item of a tree has a guid (CSE, guid); this one has none.');
  const other = [requested, said].find((one) => one !== undefined && one !== guid);
  if (other !== undefined)
    throw new InvalidEditError(`The guid of an item never changes: it is "${guid}", not "${other}".`);
  if (local === undefined && (guid !== guid.trim() || unwritable.test(guid)))
    throw new InvalidEditError('A guid has no white space around it and no control characters.');
  return guid;
}

const unwritable = /[\p{Cc}\p{Cs}\uFFFE\uFFFF]/u;
