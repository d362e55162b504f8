import type { ContentBody } from '#contracts';
import { contentFields, itemCreation, itemPatch, itemPlace, itemUpdate, treeItemFields } from '#contracts';
import { payloadFromFieldsSteps, readPayloadSteps } from '#xml';
import type { Payload } from '#xml';
import { InvalidEditError } from '#protocol';
import { protocolOf, synchronisationNamespaces } from '#protocols';
import type { RequestedPlacement, LinksInput } from '#items';
import type { Collection, ItemId, Steps, StoredItem } from '#core';
import { checkInput } from '../requests/check-input.ts';
import { applyPatch } from '../requests/merge-patch.ts';
import type { JsonObject } from '../requests/merge-patch.ts';
import { checkItemFields, linksInput } from '../tree/tree-item-body.ts';

const contentNames = Object.keys(contentFields.shape);
const placeNames = Object.keys({ ...itemPlace.shape, ...treeItemFields });
/** A new item: its content, and what its creator decides. */
interface NewItem {
  readonly id?: ItemId;
  readonly noconflicts?: boolean;
  readonly deleted?: boolean;
  readonly place?: RequestedPlacement;
  readonly tree?: LinksInput;
  readonly payload: Payload;
}

/** New content for an item, a new place for it, other links, or all of them. */
interface ItemChange {
  readonly payload?: Payload;
  readonly place?: RequestedPlacement;
  readonly tree?: LinksInput;
}

/**
 * Reads a new item from JSON, or from XML (a text) in the format that it has. Throws `ProblemError` 400,
 * `FeedError`, `InvalidEditError`.
 */
export function* readNewItem(collection: Collection, body: unknown): Steps<NewItem> {
  if (typeof body === 'string') return { payload: yield* readPayloadSteps(body, synchronisationNamespaces) };
  const { id, noconflicts, deleted, parent, position, feed, guid, hidden, links, ...fields } = checkInput(
    itemCreation,
    'body',
    body,
  );
  checkItemFields(collection, { noconflicts, deleted, parent, position, feed, guid, hidden, links });
  const tree = linksInput({ feed, guid, hidden, links });
  return {
    ...withoutAbsent({ id, noconflicts, deleted, tree }),
    ...requestedPlacement(parent, position),
    payload: yield* readFields(collection, fields),
  };
}

/** Applies a change to the stored item; its elements keep their other attributes. */
export type MakeChange = (former: Pick<StoredItem, 'content'>) => Steps<ItemChange>;

/**
 * Reads what is to change of the item with this id from JSON, or from XML (a text); a place or what a tree
 * says of it alone leaves the content. Throws as `readNewItem` does; what it returns throws `FeedError`.
 */
export function* readItemChange(collection: Collection, id: ItemId, body: unknown): Steps<MakeChange> {
  if (typeof body === 'string') {
    const payload = yield* readPayloadSteps(body, synchronisationNamespaces);
    return function* () {
      yield;
      return { payload };
    };
  }
  const {
    id: named,
    deleted,
    parent,
    position,
    feed,
    guid,
    hidden,
    links,
    ...rest
  } = checkInput(itemUpdate, 'body', body);
  const {
    sync: _sync,
    conflicts: _conflicts,
    revision: _revision,
    createdAt: _createdAt,
    updatedAt: _updatedAt,
    version: _version,
    lastBuildDate: _lastBuildDate,
    published: _published,
    authors: _authors,
    enclosures: _enclosures,
    image: _image,
    ...fields
  } = rest;
  checkItemFields(collection, { parent, position, feed, guid, hidden, links });
  refuseFixed(id, { id: named, deleted });
  const tree = linksInput({ feed, guid, hidden, links });
  const input = { ...requestedPlacement(parent, position), ...(tree && { tree }) };
  const hasContent = Object.keys(fields).length > 0 || Object.keys(input).length === 0;
  return function* (former) {
    return { ...input, ...(hasContent && { payload: yield* readFields(collection, fields, former) }) };
  };
}

/** Throws `InvalidEditError` for another id, and for a deletion by an update. */
function refuseFixed(
  id: ItemId,
  { id: named = id, deleted = false }: { readonly id?: unknown; readonly deleted?: unknown },
): void {
  if (named !== id)
    throw new InvalidEditError(`The id of the item "${id}" never changes (FeedSync 2.4, SSE 2.3).`);
  if (deleted !== false)
    throw new InvalidEditError(
      'An update leaves an item undeleted. DELETE deletes it; undelete, without "deleted": true, brings ' +
        'it back.',
    );
}

/**
 * The update that a merge patch of an item comes to. A patch of its place, or of what a tree says of it,
 * alone leaves the content. Throws as `readNewItem` does.
 * @returns the body of a PUT; undefined if nothing is to change
 */
export function patchedItem(
  collection: Collection,
  { id, content }: Pick<StoredItem, 'id' | 'content'>,
  patch: JsonObject,
): JsonObject | undefined {
  const change = Object.entries(checkInput(itemPatch, 'body', patch));
  const contentPatch = change.filter(([name]) => contentNames.includes(name));
  const rest = Object.fromEntries(change.filter(([name]) => !contentNames.includes(name)));
  refuseFixed(id, rest);
  if (contentPatch.length === 0)
    return Object.keys(rest).some((name) => placeNames.includes(name)) ? rest : undefined;
  const fields = Object.entries(protocolOf(collection).json(content)).filter(([name]) =>
    contentNames.includes(name),
  );
  return {
    payload: '',
    ...applyPatch(Object.fromEntries(fields), Object.fromEntries(contentPatch)),
    ...rest,
  };
}

/** A payload in the format of the collection. Throws `FeedError`. */
export function readFields(
  { format }: Collection,
  fields: ContentBody,
  former?: Pick<StoredItem, 'content'>,
): Steps<Payload> {
  return payloadFromFieldsSteps(
    format,
    Object.fromEntries(
      Object.entries(fields).filter(
        ([name, value]) => value !== undefined && !(name.endsWith('Type') && value === 'text'),
      ),
    ),
    synchronisationNamespaces,
    former?.content.data,
  );
}

function requestedPlacement(
  parent: string | null | undefined,
  position: number | undefined,
): { readonly place?: RequestedPlacement } {
  return parent === undefined && position === undefined ? {} : { place: withoutAbsent({ parent, position }) };
}

type Present<Fields> = { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> };

function withoutAbsent<Fields extends object>(fields: Fields): Present<Fields> {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined),
  ) as Present<Fields>;
}
