import { z } from 'zod';
import { payloadFromFields, readPayload } from '#xml';
import type { Payload } from '#xml';
import { InvalidEditError, protocolOf } from '#items';
import type { RequestedPlacement, LinksInput } from '#items';
import type { Collection, StoredItem } from '#core';
import { checkInput } from '../requests/check-input.ts';
import { applyPatch } from '../requests/merge-patch.ts';
import type { JsonObject } from '../requests/merge-patch.ts';
import { checkItemFields, treeItemFields, linksInput } from '../tree/tree-item-body.ts';

const type = z.enum(['text', 'html', 'xhtml']).optional().describe('`text` by default.');

/** The content of an item as plain values; what they can't say is in `payload`, as XML. */
const itemFields = z.strictObject({
  title: z.string().optional(),
  titleType: type,
  content: z.string().optional().describe('Atom `content`, RSS `description`.'),
  contentType: type,
  summary: z.string().optional(),
  summaryType: type,
  link: z.string().optional(),
  categories: z.array(z.string()).optional(),
  rights: z.string().optional(),
  rightsType: type,
  base: z.string().optional().describe('`xml:base`.'),
  language: z.string().optional().describe('`xml:lang`.'),
  attributes: z
    .record(z.string(), z.string())
    .optional()
    .describe('Of an outline, by name; those of a namespace as `{namespace}name`.'),
  payload: z.string().optional().describe('Further child elements, as XML.'),
});
type ItemFields = z.infer<typeof itemFields>;

/** Where an item of a collection with an order is to stand (SSE 3.2). */
const itemPlace = z.strictObject({
  parent: z
    .string()
    .min(1)
    .nullable()
    .optional()
    .describe(
      'The outline that it stands in, `null` below the root; where it is by default, and a new one below ' +
        'the root.',
    ),
  position: z
    .number()
    .int()
    .nonnegative()
    .optional()
    .describe(
      'Its number among the items there that are not deleted, from 0; last by default where it is new there.',
    ),
});

/** How an item is deleted. */
export const itemDeletion = z.strictObject({
  children: z
    .enum(['delete', 'keep'])
    .optional()
    .describe('What becomes of the outlines in an outline; `delete` by default.'),
  data: z
    .enum(['remove', 'keep'])
    .optional()
    .describe(
      'What becomes of the data of the item (FeedSync 3.2); as the settings of the collection say by ' +
        'default.',
    ),
});

/** What makes a new item. */
export const itemCreation = itemFields
  .extend(itemPlace.shape)
  .extend(treeItemFields)
  .extend({
    id: z
      .string()
      .min(1)
      .optional()
      .describe('A Namespace Specific String (RFC 2141); made here where it is left out.'),
    noconflicts: z.boolean().optional(),
    deleted: z.boolean().optional(),
  });

/** New content for an item, also as it was read: what an update can't change is skipped. */
export const itemUpdate = itemFields.extend(itemPlace.shape).extend(treeItemFields).extend({
  id: z.unknown().optional(),
  deleted: z.unknown().optional(),
  sync: z.unknown().optional(),
  conflicts: z.unknown().optional(),
  revision: z.unknown().optional(),
  version: z.unknown().optional(),
  lastBuildDate: z.unknown().optional(),
  createdAt: z.unknown().optional(),
  updatedAt: z.unknown().optional(),
});

const contentNames = Object.keys(itemFields.shape);
const placeNames = Object.keys({ ...itemPlace.shape, ...treeItemFields });
const nullable = Object.fromEntries(
  Object.entries(itemFields.shape).map(([name, schema]) => [
    name,
    schema
      .unwrap()
      .nullable()
      .optional()
      .describe(schema.description ?? ''),
  ]),
);

/** A change of an item (RFC 7396): of its content `null` removes a value. */
export const itemPatch = itemUpdate.extend({
  ...nullable,
  attributes: z.record(z.string(), z.string().nullable()).nullable().optional(),
});

export const itemResolution = z.strictObject({
  keep: z
    .union([z.literal('winner'), z.strictObject({ conflict: z.number().int().nonnegative() })])
    .describe('Whose state the item takes; conflicts count from 0.'),
  data: itemFields.optional().describe('Other content for the item.'),
  conflicts: z
    .array(z.number().int().nonnegative())
    .optional()
    .describe('What is resolved by this; all by default.'),
});

/** A new item: its content, and what its creator decides. */
interface NewItem {
  readonly id?: string;
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
export function readNewItem(collection: Collection, body: unknown): NewItem {
  if (typeof body === 'string') return { payload: readPayload(body) };
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
    payload: readFields(collection, fields),
  };
}

/**
 * Reads what is to change of the item with this id from JSON, or from XML (a text); a place or what a tree
 * says of it alone leaves the content. Throws as `readNewItem` does.
 */
export function readItemChange(collection: Collection, id: string, body: unknown): ItemChange {
  if (typeof body === 'string') return { payload: readPayload(body) };
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
    ...fields
  } = rest;
  checkItemFields(collection, { parent, position, feed, guid, hidden, links });
  refuseFixed(id, { id: named, deleted });
  const tree = linksInput({ feed, guid, hidden, links });
  const input = { ...requestedPlacement(parent, position), ...(tree && { tree }) };
  const hasContent = Object.keys(fields).length > 0 || Object.keys(input).length === 0;
  return { ...input, ...(hasContent && { payload: readFields(collection, fields) }) };
}

/** Throws `InvalidEditError` for another id, and for a deletion by an update. */
function refuseFixed(
  id: string,
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
export function readFields({ format }: Collection, fields: ItemFields): Payload {
  return payloadFromFields(
    format,
    Object.fromEntries(
      Object.entries(fields).filter(
        ([name, value]) => value !== undefined && !(name.endsWith('Type') && value === 'text'),
      ),
    ),
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
