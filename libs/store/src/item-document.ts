import { Schema } from 'mongoose';
import type {
  Actor,
  CollectionKey,
  EditMark,
  IssuedRecord,
  ItemContent,
  LatestItem,
  PendingItem,
  PlacedItem,
  Source,
  StoredItem,
  SubscriptionId,
  VersionSummary,
} from '#core';
import { fromAnnouncementDocument } from './announcement-document.ts';
import type { AnnouncementDocument } from './announcement-document.ts';
import { fromTreeRefsDocument } from './tree-refs-document.ts';
import type { TreeRefsDocument } from './tree-refs-document.ts';
import { itemIdOf } from './key.ts';
import { fromPositionDocument } from './position-document.ts';
import type { PositionDocument } from './position-document.ts';
import { schemaOptions } from './schema-options.ts';

/** An item as MongoDB keeps it; `_id` is `<collection>/<id>`. */
export interface ItemDocument {
  _id: string;
  collection: CollectionKey;
  revision: number;
  /** Whether the revision was not announced yet. */
  pending: boolean;
  sequence?: number;
  publishedAt?: Date;
  announced?: AnnouncementDocument;
  deleted: boolean;
  conflictCount: number;
  position?: PositionDocument;
  branch?: TreeRefsDocument;
  /** As JSON. */
  version: string;
  sources: readonly Source[];
  subscription?: SubscriptionId;
  actor?: Actor;
  edits?: readonly EditMark[];
  issued?: readonly IssuedRecord[];
  /** The trace in which the revision was written. */
  trace?: string;
  createdAt: Date;
  updatedAt: Date;
  /**
   * As JSON: nothing in it can be taken for a field name or a BSON type, and it is read and written faster
   * than BSON.
   */
  content: string;
}

export const itemSchema = new Schema<ItemDocument>(
  {
    _id: { type: String, required: true },
    collection: { type: String, required: true },
    revision: { type: Number, required: true },
    pending: { type: Boolean, required: true },
    sequence: Number,
    publishedAt: Date,
    announced: Schema.Types.Mixed,
    deleted: { type: Boolean, required: true },
    conflictCount: { type: Number, required: true },
    position: Schema.Types.Mixed,
    branch: { type: [String], default: undefined },
    version: { type: String, required: true },
    sources: { type: [Schema.Types.Mixed], required: true },
    subscription: String,
    actor: Schema.Types.Mixed,
    edits: { type: [Schema.Types.Mixed], default: undefined },
    issued: { type: [Schema.Types.Mixed], default: undefined },
    trace: String,
    createdAt: { type: Date, required: true },
    updatedAt: { type: Date, required: true },
    content: { type: String, required: true },
  },
  {
    ...schemaOptions,
    suppressReservedKeysWarning: true,
    // JSON takes less on disk with it than with snappy, the default.
    collectionOptions: { storageEngine: { wiredTiger: { configString: 'block_compressor=zstd' } } },
  },
);
// Partial, so that an item costs no index entry for what it is not.
itemSchema.index({ collection: 1, pending: 1 }, { partialFilterExpression: { pending: true } });
// With `deleted`, so that tombstones which are newer than what feed readers see are skipped in the index.
itemSchema.index(
  { collection: 1, sequence: 1, deleted: 1 },
  { partialFilterExpression: { sequence: { $exists: true } } },
);
itemSchema.index(
  { collection: 1, publishedAt: 1, sequence: 1 },
  { partialFilterExpression: { deleted: true } },
);
// With `conflictCount`, so that they are counted in the index.
itemSchema.index(
  { collection: 1, _id: 1, conflictCount: 1 },
  { partialFilterExpression: { conflictCount: { $gt: 0 } } },
);
itemSchema.index({ collection: 1, deleted: 1, _id: 1 }, { partialFilterExpression: { deleted: true } });
// Lists by time. With `deleted`, so that tombstones are skipped, and items counted, in the index.
itemSchema.index({ collection: 1, createdAt: 1, _id: 1, deleted: 1 });
itemSchema.index({ collection: 1, updatedAt: 1, _id: 1, deleted: 1 });
// With `deleted`, so that places among live siblings are read by it alone.
itemSchema.index(
  { collection: 1, 'position.parent': 1, 'position.key': 1, _id: 1, deleted: 1 },
  { partialFilterExpression: { 'position.parent': { $exists: true } } },
);
// Holds no tombstones: what is deleted refers to nothing in its tree of feeds, and its guid is free.
itemSchema.index(
  { collection: 1, branch: 1, _id: 1 },
  { partialFilterExpression: { deleted: false, branch: { $exists: true } } },
);

/** What of a document a pending item needs: not its content, which is most of it. */
export const pendingProjection = {
  collection: 1,
  revision: 1,
  deleted: 1,
  conflictCount: 1,
  version: 1,
  subscription: 1,
  sequence: 1,
  announced: 1,
  updatedAt: 1,
  trace: 1,
} as const;

/** The pending item that a document stands for. */
export function toPendingItem({
  _id,
  version,
  announced,
  ...rest
}: Pick<ItemDocument, '_id' | keyof typeof pendingProjection>): PendingItem {
  return {
    id: itemIdOf(_id),
    ...rest,
    version: versionOf(version),
    ...(announced && { announced: fromAnnouncementDocument(announced) }),
  };
}

/** What of a document a feed for readers needs. */
export const latestProjection = {
  sequence: 1,
  content: 1,
  version: 1,
  createdAt: 1,
  updatedAt: 1,
  publishedAt: 1,
} as const;

export type LatestDocument = Pick<ItemDocument, '_id' | keyof typeof latestProjection> & { sequence: number };

/** What of a document an item's place needs. */
export const placedProjection = { revision: 1, deleted: 1, sequence: 1, position: 1 } as const;

export type PlacedDocument = Pick<ItemDocument, '_id' | 'revision' | 'deleted' | 'sequence'> &
  Required<Pick<ItemDocument, 'position'>>;

/** The item that a document with a position stands for, as far as its place is concerned. */
export function toPlacedItem({ _id, position, ...rest }: PlacedDocument): PlacedItem {
  return { id: itemIdOf(_id), position: fromPositionDocument(position), ...rest };
}

/** The item that a document stands for. */
export function toStoredItem(document: ItemDocument): StoredItem {
  const { _id, pending: _pending, trace: _trace, ...others } = document;
  const { content, version, announced, position, branch, ...rest } = others;
  return {
    ...rest,
    id: itemIdOf(_id),
    version: versionOf(version),
    ...(announced && { announced: fromAnnouncementDocument(announced) }),
    ...(position && { position: fromPositionDocument(position) }),
    ...(branch && { branch: fromTreeRefsDocument(branch) }),
    content: contentOf(content),
  };
}

/** The item that a document stands for, as far as a feed for readers shows it. */
export function toLatestItem({ _id, content, version, ...rest }: LatestDocument): LatestItem {
  return { ...rest, id: itemIdOf(_id), version: versionOf(version), content: contentOf(content) };
}

/** The content that a stored text stands for. */
export function contentOf(text: string): ItemContent {
  return JSON.parse(text) as ItemContent;
}

function versionOf(text: string): VersionSummary {
  return JSON.parse(text) as VersionSummary;
}
