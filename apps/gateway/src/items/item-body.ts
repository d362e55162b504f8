import { z } from 'zod';
import { payloadFromFields, readPayload } from '#feed-xml';
import type { Payload } from '#feed-xml';
import { InvalidEditError } from '#items';
import type { Collection } from '#ports';
import { checkInput } from '../requests/check-input.ts';

const type = z.enum(['html', 'xhtml']).optional();

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
  payload: z.string().optional().describe('Further child elements, as XML.'),
});
type ItemFields = z.infer<typeof itemFields>;

/** How an item is deleted. */
export const itemDeletion = z.strictObject({ data: z.enum(['remove', 'keep']).optional().describe('What becomes of the data of the item (FeedSync 3.2); as the settings of the collection say by default.') });

/** What makes a new item. */
export const itemCreation = itemFields.extend({
  id: z.string().min(1).optional().describe('A Namespace Specific String (RFC 2141); made here where it is left out.'),
  noconflicts: z.boolean().optional(),
  deleted: z.boolean().optional(),
});

/** New content for an item, also as it was read: what an update can't change is passed over. */
export const itemUpdate = itemFields.extend({
  id: z.unknown().optional(),
  deleted: z.unknown().optional(),
  sync: z.unknown().optional(),
  conflicts: z.unknown().optional(),
  revision: z.unknown().optional(),
  createdAt: z.unknown().optional(),
  updatedAt: z.unknown().optional(),
});

export const itemResolution = z.strictObject({
  keep: z.union([z.literal('winner'), z.strictObject({ conflict: z.number().int().nonnegative() })]).describe('Whose state the item takes; conflicts count from 0.'),
  data: itemFields.optional().describe('Other content for the item.'),
  conflicts: z.array(z.number().int().nonnegative()).optional().describe('What is settled by this; all by default.'),
});

/** A new item: its content, and what its creator decides. */
export interface NewItem {
  readonly id?: string;
  readonly noconflicts?: boolean;
  readonly deleted?: boolean;
  readonly payload: Payload;
}

/** Reads a new item from JSON, or from XML (a text) in the format that it has. Throws `ProblemError` 400, `FeedError`, `InvalidEditError`. */
export function readNewItem(collection: Collection, body: unknown): NewItem {
  if (typeof body === 'string') return { payload: readPayload(body) };
  const { id, noconflicts, deleted, ...fields } = checkInput(itemCreation, 'body', body);
  return { ...withoutAbsent({ id, noconflicts, deleted }), payload: readFields(collection, fields) };
}

/** Reads the content for the item with this id from JSON, or from XML (a text). Throws as `readNewItem` does. */
export function readItemContent(collection: Collection, id: string, body: unknown): Payload {
  if (typeof body === 'string') return readPayload(body);
  const { id: named = id, deleted = false, sync: _sync, conflicts: _conflicts, revision: _revision, createdAt: _createdAt, updatedAt: _updatedAt, ...fields } = checkInput(itemUpdate, 'body', body);
  if (named !== id) throw new InvalidEditError(`The id of the item "${id}" never changes (FeedSync 2.4).`);
  if (deleted !== false) throw new InvalidEditError('An update leaves an item undeleted. DELETE deletes it; undelete, without "deleted": true, brings it back.');
  return readFields(collection, fields);
}

/** A payload in the format of the collection. Throws `FeedError`. */
export function readFields({ format }: Collection, fields: ItemFields): Payload {
  return payloadFromFields(format, withoutAbsent(fields));
}

type Present<Fields> = { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> };

function withoutAbsent<Fields extends object>(fields: Fields): Present<Fields> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Present<Fields>;
}
