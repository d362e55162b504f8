import { z } from 'zod';
import { collectionName } from '../name.ts';
import { contracts } from '../registry.ts';
import type { Described } from '../registry.ts';
import { actor } from './actor.ts';
import { itemFields } from './item-fields.ts';
import { treeLink } from './link.ts';
import { page } from './page.ts';
import { time } from './time.ts';

const stored = {
  revision: z.number().int().positive().describe('What its ETag holds.'),
  actor: actor.optional().describe('Who made this revision, if it was edited here and changes are audited.'),
  createdAt: time,
  updatedAt: time,
};
const storedExample = {
  revision: 2,
  createdAt: '2026-01-01T10:00:00.000Z',
  updatedAt: '2026-01-01T10:00:00.000Z',
};

const when = z.string().optional().describe('RFC 3339.');
const by = z.string().optional().describe('The identifier of an endpoint.');
const deleted = z.boolean();
const parent = z
  .string()
  .nullable()
  .optional()
  .describe('In a collection with an order: the id of the item that it stands in, `null` below the root.');
const position = z
  .number()
  .int()
  .optional()
  .describe('In a collection with an order: its number among the siblings that are not deleted, from 0.');

const version = itemFields.extend({
  id: z.string(),
  deleted,
  sync: z.object({
    updates: z.number().int().positive(),
    noconflicts: z.boolean().optional(),
    history: z
      .array(z.object({ sequence: z.number().int().positive(), when, by }))
      .describe('The latest update first.'),
  }),
});

/** One version of an item that counts its updates. */
export type ItemVersionView = Described<typeof version>;

const itemExample = {
  id: 'groceries',
  title: 'Buy groceries',
  content: 'Get milk and eggs',
  payload: '<x:due xmlns:x="urn:example">tomorrow</x:due>',
  deleted: false,
  sync: {
    updates: 2,
    history: [
      { sequence: 2, when: '2026-01-01T10:00:00Z', by: 'example.org:todo' },
      { sequence: 1, when: '2026-01-01T09:30:00Z', by: 'peer.example:todo' },
    ],
  },
  conflicts: [],
  ...storedExample,
};

/** An item that counts its updates, with its conflicts: whole versions. */
export const item = version
  .extend({
    conflicts: z.array(version).describe('Their places are the numbers that `resolve` takes.'),
    position,
    ...stored,
  })
  .register(contracts, { id: 'Item', version: 1, example: itemExample });
export type ItemView = Described<typeof item>;

const modification = itemFields.extend({
  version: z.number().int(),
  when,
  by,
  deleted: deleted.optional(),
});

/** A modification of an item that lost. */
export type ModificationView = Described<typeof modification>;

const numbered = itemFields.extend({
  id: z.string(),
  deleted,
  parent,
  sync: z.object({
    version: z.number().int(),
    conflict: z.boolean(),
    history: z.array(z.object({ when, by })).describe('The latest modification first.'),
  }),
});

/** An item that has one number for its version, with its conflicts: modifications that lost. */
export const numberedItem = numbered
  .extend({
    conflicts: z.array(modification).describe('Their places are the numbers that `resolve` takes.'),
    position,
    ...stored,
  })
  .register(contracts, {
    id: 'NumberedItem',
    version: 1,
    example: {
      id: 'here.0a79',
      attributes: { text: 'News', xmlUrl: 'http://example.org/feed' },
      deleted: false,
      parent: 'folder',
      sync: { version: 1, conflict: false, history: [{ when: '2026-01-01T10:00:00Z', by: 'here' }] },
      conflicts: [],
      position: 2,
      ...storedExample,
    },
  });
export type NumberedItemView = Described<typeof numberedItem>;

/** An item with a history and conflicts. */
export type VersionedItemView = ItemView | NumberedItemView;

const guid = z.string().describe('The identity of the item within its feed.');
const lastBuildDate = time
  .optional()
  .describe('When it was published, or what it nests, whichever was later; absent before that.');
const links = z.array(treeLink).describe('In document order.');

/** An item of a tree of feeds. */
export const treeItem = z
  .object({
    id: z.string(),
    feed: z.string().describe('The id of the feed that it stands in.'),
    guid,
    hidden: z.boolean(),
    ...itemFields.shape,
    deleted,
    version: z.number().int(),
    lastBuildDate,
    links,
    ...stored,
  })
  .register(contracts, {
    id: 'TreeItem',
    version: 1,
    example: {
      id: 'root:story-1',
      feed: 'root',
      guid: 'story-1',
      hidden: false,
      title: 'Story',
      deleted: false,
      version: 1,
      lastBuildDate: '2026-01-01T10:00:05.000Z',
      links: [],
      ...storedExample,
    },
  });
export type TreeItemView = Described<typeof treeItem>;

/** An item as it is shown with the feed that it stands in. */
export const branch = z.object({
  id: z.string(),
  guid,
  title: z.string().optional(),
  hidden: z.boolean(),
  lastBuildDate,
  links,
});
export type BranchView = Described<typeof branch>;

/** An item of any collection. */
export const anyItem = z
  .union([item, numberedItem, treeItem])
  .register(contracts, { id: 'AnyItem', version: 1, example: itemExample });
export type AnyItemView = Described<typeof anyItem>;

export const itemPage = page('ItemPage', anyItem, itemExample);

const inCollection = { collection: collectionName };

/** An item in a list over several collections. */
export const conflictingItem = z
  .union([item.extend(inCollection), numberedItem.extend(inCollection), treeItem.extend(inCollection)])
  .register(contracts, {
    id: 'ConflictingItem',
    version: 1,
    example: { ...itemExample, collection: 'todo' },
  });
export type ConflictingItemView = Described<typeof conflictingItem>;

export const conflictPage = page('ConflictPage', conflictingItem, { ...itemExample, collection: 'todo' });

/** An outline with the outlines in it. */
const outlineNode = numbered.extend({
  conflictCount: z.number().int(),
  get children(): z.ZodOptional<z.ZodArray<typeof outlineNode>> {
    return z
      .array(outlineNode)
      .optional()
      .describe('Absent of an outline of the last level shown that has some.');
  },
});
contracts.add(outlineNode, {
  id: 'OutlineNode',
  version: 1,
  example: {
    id: 'here.0a79',
    attributes: { text: 'News' },
    deleted: false,
    parent: null,
    sync: { version: 1, conflict: false, history: [{ when: '2026-01-01T10:00:00Z', by: 'here' }] },
    conflictCount: 0,
    children: [],
  },
});

/** The outlines of a collection. */
export const outline = z
  .object({ collection: z.string(), title: z.string(), children: z.array(outlineNode) })
  .register(contracts, {
    id: 'Outline',
    version: 1,
    example: { collection: 'reading', title: 'Reading list', children: [] },
  });
export type OutlineView = Described<typeof outline>;
