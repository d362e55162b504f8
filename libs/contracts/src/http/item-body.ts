import { z } from 'zod';
import { itemIdText } from '../key.ts';
import { contracts } from '../registry.ts';
import { fileDigest } from './file.ts';

const type = z.enum(['text', 'html', 'xhtml']).optional().describe('`text` by default.');

/** The content of an item as plain values; what they can't say is in `payload`, as XML. */
export const contentFields = z.strictObject({
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
/** A link as it is wanted, also as it was read: what can't be wanted is skipped. */
const linkBody = z
  .strictObject({
    file: z
      .union([
        fileDigest,
        z.strictObject({
          digest: fileDigest,
          name: z.string().optional(),
          length: z.unknown().optional(),
          type: z.unknown().optional(),
        }),
      ])
      .optional()
      .describe('The digest of a file of this collection.'),
    name: z.string().min(1).optional().describe('What the address of the file ends in.'),
    feed: z.string().optional().describe('The id of a feed of this tree, to be nested.'),
    url: z.string().optional().describe('Any other address.'),
    nestedFeed: z.boolean().optional(),
    onDemand: z.boolean().optional(),
    inside: z
      .unknown()
      .optional()
      .describe('Of a link that was read: it stands in a child of the item, and stays there.'),
    source: z.unknown().optional(),
    state: z.unknown().optional(),
    reason: z.unknown().optional(),
    fetch: z.unknown().optional(),
  })
  .refine(
    ({ file, feed, url }) => file !== undefined || feed !== undefined || url !== undefined,
    'a link names a file, a feed or a url',
  );

/** What an item of a tree has besides its content. */
export const treeItemFields = {
  feed: z
    .string()
    .min(1)
    .optional()
    .describe(
      'Of a tree (CSE): the id of the feed that the item stands in, which never changes; the root by ' +
        'default.',
    ),
  guid: z
    .string()
    .min(1)
    .max(10_000)
    .optional()
    .describe(
      'Of a tree: the identity of the item within it, which never changes; made here where neither this ' +
        'nor the payload says one.',
    ),
  hidden: z.boolean().optional().describe('Of a tree: csx:hiddenItem.'),
  links: z
    .array(linkBody)
    .optional()
    .describe('Of a tree: the csx:link that stand directly in the item; those of the payload by default.'),
};
const treeItemBody = z.strictObject(treeItemFields);
export type TreeItemBody = z.infer<typeof treeItemBody>;

/** The plain values of a request. */
export type ContentBody = z.infer<typeof contentFields>;

/** Where an item of a collection with an order is to stand (SSE 3.2). */
export const itemPlace = z.strictObject({
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
export const itemCreation = contentFields
  .extend(itemPlace.shape)
  .extend(treeItemFields)
  .extend({
    id: itemIdText
      .optional()
      .describe('A Namespace Specific String (RFC 2141); made here where it is left out.'),
    noconflicts: z.boolean().optional(),
    deleted: z.boolean().optional(),
  })
  .register(contracts, {
    id: 'ItemCreation',
    version: 1,
    example: { id: 'groceries', title: 'Buy groceries', content: 'Get milk and eggs' },
  });

/** New content for an item, also as it was read: what an update can't change is skipped. */
export const itemUpdate = contentFields
  .extend(itemPlace.shape)
  .extend(treeItemFields)
  .extend({
    id: z.unknown().optional(),
    deleted: z.unknown().optional(),
    sync: z.unknown().optional(),
    conflicts: z.unknown().optional(),
    revision: z.unknown().optional(),
    version: z.unknown().optional(),
    lastBuildDate: z.unknown().optional(),
    createdAt: z.unknown().optional(),
    updatedAt: z.unknown().optional(),
    published: z.unknown().optional(),
    authors: z.unknown().optional(),
    enclosures: z.unknown().optional(),
    image: z.unknown().optional(),
  })
  .register(contracts, { id: 'ItemUpdate', version: 1, example: { title: 'Buy groceries today' } });

const nullable = Object.fromEntries(
  Object.entries(contentFields.shape).map(([name, schema]) => [
    name,
    schema
      .unwrap()
      .nullable()
      .optional()
      .describe(schema.description ?? ''),
  ]),
);

/** A change of an item (RFC 7396): of its content `null` removes a value. */
export const itemPatch = itemUpdate
  .extend({
    ...nullable,
    attributes: z.record(z.string(), z.string().nullable()).nullable().optional(),
  })
  .register(contracts, {
    id: 'ItemPatch',
    version: 1,
    example: { title: 'Buy groceries today' },
  });

/** How conflicts of an item are resolved. */
export const itemResolution = z
  .strictObject({
    keep: z
      .union([z.literal('winner'), z.strictObject({ conflict: z.number().int().nonnegative() })])
      .describe('Whose state the item takes; conflicts count from 0.'),
    data: contentFields.optional().describe('Other content for the item.'),
    conflicts: z
      .array(z.number().int().nonnegative())
      .optional()
      .describe('What is resolved by this; all by default.'),
  })
  .register(contracts, { id: 'ItemResolution', version: 1, example: { keep: 'winner' } });
