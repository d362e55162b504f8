import mongoose from 'mongoose';
import type { mongo } from 'mongoose';
import type { Store } from '#ports';
import type { ChangeDocument } from './change-document.ts';
import { changeSchema } from './change-document.ts';
import { MongoChangeLog } from './change-log.ts';
import type { CollectionDocument } from './collection-document.ts';
import { collectionSchema } from './collection-document.ts';
import { MongoCollectionStore } from './collection-store.ts';
import { contentChunkSchema } from './content-chunk.ts';
import type { ContentChunk } from './content-chunk.ts';
import { contentFileSchema } from './content-file.ts';
import type { ContentFile } from './content-file.ts';
import { MongoContentStore } from './content-store.ts';
import { deadLetterSchema } from './dead-letter-document.ts';
import { MongoDeadLetterStore } from './dead-letter-store.ts';
import { MongoDocumentStore } from './document-store.ts';
import { feedSchema } from './feed-document.ts';
import { MongoFeedStore } from './feed-store.ts';
import type { ItemDocument } from './item-document.ts';
import { itemSchema } from './item-document.ts';
import { MongoItemStore } from './item-store.ts';
import { keysOf } from './key.ts';
import { manifestSchema } from './manifest-document.ts';
import { MongoManifestStore } from './manifest-store.ts';
import { noticeSchema } from './notice-document.ts';
import { MongoNoticeStore } from './notice-store.ts';
import { retiredSchema } from './retired-document.ts';
import type { RetiredDocument } from './retired-document.ts';
import { StoreUnavailableError } from './store-unavailable-error.ts';
import { subscriptionSchema } from './subscription-document.ts';
import { MongoSubscriptionStore } from './subscription-store.ts';
import { treeDocumentSchema } from './tree-document.ts';
import type { StoredTreeDocument } from './tree-document.ts';

/** Where MongoDB is, and how long to wait for it. Times are in milliseconds. */
export interface StoreOptions {
  /** A connection string to a replica set. */
  readonly uri: string;
  /** The database; by default the one the connection string names, else `feedmesh`. */
  readonly database?: string;
  /** How long to look for a primary before an operation fails (default 5000). */
  readonly selectionTimeout?: number;
  /** How long a write may wait for a majority (default 10000). */
  readonly writeTimeout?: number;
  /** How long an operation may go without an answer before its connection is given up (default 60000). */
  readonly answerTimeout?: number;
}

/** A store that holds connections. */
export interface OpenStore extends Store {
  /** Closes all connections. */
  close(): Promise<void>;
  /** Throws where no primary answers. */
  ping(): Promise<void>;
}

/** Connects to MongoDB and creates what indexes are missing; several processes may do so at once. Throws `StoreUnavailableError`. */
export async function openStore(options: StoreOptions): Promise<OpenStore> {
  const selectionTimeout = options.selectionTimeout ?? 5000;
  const connection = mongoose.createConnection(options.uri, {
    dbName: options.database ?? databaseIn(options.uri) ?? 'feedmesh',
    // By these names, since a connection string's `journal` goes before that of an option `writeConcern`.
    w: 'majority',
    journal: true,
    wtimeoutMS: options.writeTimeout ?? 10_000,
    readConcern: { level: 'majority' },
    retryWrites: true,
    ignoreUndefined: true,
    bufferCommands: false,
    serverSelectionTimeoutMS: selectionTimeout,
    socketTimeoutMS: options.answerTimeout ?? 60_000,
  });
  const collections = connection.model<CollectionDocument>('Collection', collectionSchema, 'collections');
  const retired = connection.model<RetiredDocument>('Retired', retiredSchema, 'retired');
  const items = connection.model('Item', itemSchema, 'items');
  const subscriptions = connection.model('Subscription', subscriptionSchema, 'subscriptions');
  const manifests = connection.model('Manifest', manifestSchema, 'manifests');
  const notices = connection.model('Notice', noticeSchema, 'notices');
  const changes = connection.model('Change', changeSchema, 'changes');
  const deadLetters = connection.model('DeadLetter', deadLetterSchema, 'deadLetters');
  const feeds = connection.model('Feed', feedSchema, 'feeds');
  const documents = connection.model('Document', treeDocumentSchema, 'documents');
  const contentFiles = connection.model('ContentFile', contentFileSchema, 'contents.files');
  const contentChunks = connection.model('ContentChunk', contentChunkSchema, 'contents.chunks');
  try {
    await connection.asPromise();
    await Promise.all(Object.values(connection.models).map((model) => model.createIndexes()));
  } catch (error) {
    await connection.close();
    throw new StoreUnavailableError(selectionTimeout, error);
  }
  const named = [items, subscriptions, manifests, notices, changes, deadLetters, feeds, documents, contentFiles, contentChunks].map((model) => model.collection as unknown as mongo.Collection<{ _id: string }>);
  const log = new MongoChangeLog(changes.collection as unknown as mongo.Collection<ChangeDocument>);
  return {
    collections: new MongoCollectionStore(collections, retired, {
      lastSequence: (collection) => log.lastSequence(collection),
      async remove(collection) {
        await Promise.all(named.map((documents) => documents.deleteMany({ _id: keysOf(collection) })));
      },
    }),
    items: new MongoItemStore(items.collection as unknown as mongo.Collection<ItemDocument>),
    subscriptions: new MongoSubscriptionStore(subscriptions),
    manifests: new MongoManifestStore(manifests),
    notices: new MongoNoticeStore(notices),
    changes: log,
    deadLetters: new MongoDeadLetterStore(deadLetters),
    feeds: new MongoFeedStore(feeds),
    documents: new MongoDocumentStore(documents.collection as unknown as mongo.Collection<StoredTreeDocument>),
    contents: new MongoContentStore(contentFiles.collection as unknown as mongo.Collection<ContentFile>, contentChunks.collection as unknown as mongo.Collection<ContentChunk>),
    close: () => connection.close(),
    async ping() {
      await connection.db?.admin().ping();
    },
  };
}

/** The database that a connection string names. */
function databaseIn(uri: string): string | undefined {
  const name = /^mongodb(?:\+srv)?:\/\/[^/?]+\/([^?]+)/.exec(uri)?.[1];
  return name === undefined ? undefined : decodeURIComponent(name);
}
