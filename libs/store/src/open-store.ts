import { setTimeout as wait } from 'node:timers/promises';
import mongoose from 'mongoose';
import type { Connection, mongo } from 'mongoose';
import { defaultItemBytes } from '#core';
import type { ComposeBlock, Store } from '#core';
import { accessKeySchema } from './access-key-document.ts';
import type { AccessKeyDocument } from './access-key-document.ts';
import { MongoAccessKeyStore } from './access-key-store.ts';
import { auditSchema } from './audit-document.ts';
import type { AuditDocument } from './audit-document.ts';
import { MongoAuditStore } from './audit-store.ts';
import type { BranchDeletionDocument } from './branch-deletion-document.ts';
import { branchDeletionSchema } from './branch-deletion-document.ts';
import { MongoBranchDeletionStore } from './branch-deletion-store.ts';
import type { ChangeDocument } from './change-document.ts';
import { changeSchema } from './change-document.ts';
import { MongoChangeLog } from './change-log.ts';
import { checkServer } from './check-server.ts';
import { checkWrites, storeCheck } from './check-writes.ts';
import { releaseClosedSockets } from './closed-sockets.ts';
import type { CollectionDocument } from './collection-document.ts';
import { collectionSchema } from './collection-document.ts';
import { MongoCollectionStore } from './collection-store.ts';
import type { Contents } from './collection-store.ts';
import { contentChunkSchema } from './content-chunk.ts';
import type { ContentChunk } from './content-chunk.ts';
import { contentFileSchema } from './content-file.ts';
import type { ContentFile } from './content-file.ts';
import { MongoContentStore } from './content-store.ts';
import { deadLetterSchema } from './dead-letter-document.ts';
import { MongoDeadLetterStore } from './dead-letter-store.ts';
import { MongoDocumentStore } from './document-store.ts';
import type { EditKeyDocument } from './edit-key-document.ts';
import { editKeySchema } from './edit-key-document.ts';
import { MongoEditKeyStore } from './edit-key-store.ts';
import { Elections } from './elections.ts';
import { feedSchema } from './feed-document.ts';
import { MongoFeedStore } from './feed-store.ts';
import { guardedPort } from './guarded-port.ts';
import type { Gate } from './guarded-port.ts';
import { hubSchema } from './hub-document.ts';
import type { HubDocument } from './hub-document.ts';
import { MongoHubStore } from './hub-store.ts';
import type { InstallationDocument } from './installation-document.ts';
import { installationSchema } from './installation-document.ts';
import { MongoInstallationStore } from './installation-store.ts';
import type { IssuedDocument } from './issued-document.ts';
import { issuedSchema } from './issued-document.ts';
import { removeItems } from './issued-rows.ts';
import type { ItemDocument } from './item-document.ts';
import { itemSchema } from './item-document.ts';
import { MongoItemStore } from './item-store.ts';
import { JoinedReads } from './joined-reads.ts';
import { keysOf } from './key.ts';
import { manifestSchema } from './manifest-document.ts';
import { MongoManifestStore } from './manifest-store.ts';
import { noticeSchema } from './notice-document.ts';
import type { NoticeDocument } from './notice-document.ts';
import { MongoNoticeStore } from './notice-store.ts';
import { outageReason } from './outage-reason.ts';
import { Publications } from './publications.ts';
import { PublishedWrites } from './published-writes.ts';
import { endNotices, recordItems } from './record-published.ts';
import { removeFirst } from './remove-range.ts';
import { retiredSchema } from './retired-document.ts';
import type { RetiredDocument } from './retired-document.ts';
import { SchemaExamination } from './schema-examination.ts';
import { ensureSchema, indexDigest } from './schema-version.ts';
import type { SchemaRow } from './schema-version.ts';
import { StoreAddressError } from './store-address-error.ts';
import { StoreUnavailableError } from './store-unavailable-error.ts';
import { subscriptionSchema } from './subscription-document.ts';
import { MongoSubscriptionStore } from './subscription-store.ts';
import { tenantSchema } from './tenant-document.ts';
import type { TenantDocument } from './tenant-document.ts';
import { MongoTenantStore } from './tenant-store.ts';
import { treeDocumentSchema } from './tree-document.ts';
import type { StoredTreeDocument } from './tree-document.ts';
import { UsageCounter } from './usage-counter.ts';
import { usageSchema } from './usage-document.ts';
import type { UsageDocument } from './usage-document.ts';
import { applicationName, endStalledTransactions } from './stalled-transactions.ts';
import { watchServers } from './watch-servers.ts';
import { watchWrites } from './watch-writes.ts';

/** Where MongoDB is, and how long to wait for it. Times are in milliseconds. */
export interface StoreOptions {
  /** A connection string to a replica set. */
  readonly uri: string;
  /** Certificates and key in PEM, in place of what the connection string says of them. */
  readonly tls?: { readonly ca?: string; readonly cert?: string; readonly key?: string };
  /** The database; by default the one the connection string names, else `feedmesh`. */
  readonly database?: string;
  /** How long to look for a primary, and for a connection to it, before an operation fails (default 5000). */
  readonly selectionTimeout?: number;
  /** How long a write may wait for a majority (default 10000, at most three quarters of `answerTimeout`). */
  readonly writeTimeout?: number;
  /** How long an operation may go without an answer; it is then tried once more (default 60000). */
  readonly answerTimeout?: number;
  /** How many connections there may be at most (default 100). */
  readonly connections?: number;
  /**
   * Composes the blocks with which items are published as they are written; absent: they wait for a
   * publisher.
   */
  readonly compose?: ComposeBlock;
  /** How many bytes one item may take (default 15728640); MongoDB takes 16777216 as one document. */
  readonly itemBytes?: number;
}

/** A store that holds connections. What its ports throw if MongoDB is away is an `UnavailableError`. */
export interface OpenStore extends Store {
  /** Closes all connections. */
  close(): Promise<void>;
  /** Throws if no primary answers. */
  ping(): Promise<void>;
  /** Throws the reason unless a majority stores a small write. */
  check(): Promise<void>;
  /** Ends what processes that were killed have left locked. */
  endStalledTransactions(): Promise<void>;
  /** Compares indexes and shard keys with those that are needed. */
  readonly schema: Pick<SchemaExamination, 'examine' | 'createIndex'>;
}

/** A store that is opened in the background. */
export interface ConnectingStore {
  /** Until it is open, its ports throw `UnavailableError`. */
  readonly store: OpenStore;
  /** Resolves if the first attempt opens it, else throws `StoreUnavailableError`. */
  readonly attempted: Promise<void>;
  /** Resolves once it is open, however many attempts that takes. */
  readonly opened: Promise<void>;
}

/** Milliseconds between two attempts to open the store. */
const attemptPause = 500;

/** Milliseconds in which a server must say that it lives. */
const heartbeat = 2000;

/**
 * Connects to MongoDB. Of several processes that do so at once, one creates what indexes are missing. Throws
 * `StoreUnavailableError` and `StoreAddressError`.
 */
export async function openStore(options: StoreOptions): Promise<OpenStore> {
  const { store, attempted } = connectStore(options);
  try {
    await attempted;
    return store;
  } catch (error) {
    await store.close();
    throw error;
  }
}

/**
 * As `openStore`, and if MongoDB is away, tries again until it is there or the store is closed. Throws
 * `StoreAddressError`.
 */
export function connectStore(options: StoreOptions): ConnectingStore {
  const { selectionTimeout = 5000, answerTimeout = 60_000, connections = 100 } = options;
  checkAddress(options);
  const connection = mongoose.createConnection();
  const elections = new Elections(selectionTimeout);
  const connect = (): Promise<unknown> => {
    const connected = connection.openUri(options.uri, {
      ...options.tls,
      dbName: options.database ?? databaseIn(options.uri) ?? 'feedmesh',
      appName: applicationName,
      // By these names, since a connection string's `journal` goes before that of an option `writeConcern`.
      w: 'majority',
      journal: true,
      wtimeoutMS: options.writeTimeout ?? Math.min(10_000, answerTimeout * 0.75),
      readConcern: { level: 'majority' },
      // A secondary may be behind what was announced to a reader.
      readPreference: 'primary',
      retryWrites: true,
      ignoreUndefined: true,
      bufferCommands: false,
      serverSelectionTimeoutMS: selectionTimeout,
      connectTimeoutMS: selectionTimeout,
      waitQueueTimeoutMS: selectionTimeout,
      socketTimeoutMS: answerTimeout,
      maxPoolSize: connections,
      // A primary that hangs closes no connection: one that misses this and `connectTimeoutMS` is given up.
      ...(!/[?&]heartbeatFrequencyMS=/i.test(options.uri) && { heartbeatFrequencyMS: heartbeat }),
    });
    elections.watch(connection.getClient());
    return connected;
  };
  const firstAttempt = connect();
  const stopReleasing = releaseClosedSockets(() => connection.getClient());
  const installations = connection.model<InstallationDocument>(
    'Installation',
    installationSchema,
    'installation',
  );
  const accessKeys = connection.model<AccessKeyDocument>('AccessKey', accessKeySchema, 'accessKeys');
  const tenants = connection.model<TenantDocument>('Tenant', tenantSchema, 'tenants');
  const usages = connection.model<UsageDocument>('Usage', usageSchema, 'usage');
  const audit = connection.model<AuditDocument>('AuditEntry', auditSchema, 'audit');
  const collections = connection.model<CollectionDocument>('Collection', collectionSchema, 'collections');
  const retired = connection.model<RetiredDocument>('Retired', retiredSchema, 'retired');
  const items = connection.model('Item', itemSchema, 'items');
  const issued = connection.model('Issued', issuedSchema, 'issued');
  const editKeys = connection.model<EditKeyDocument>('EditKey', editKeySchema, 'editKeys');
  const branchDeletions = connection.model<BranchDeletionDocument>(
    'BranchDeletion',
    branchDeletionSchema,
    'branchDeletions',
  );
  const subscriptions = connection.model('Subscription', subscriptionSchema, 'subscriptions');
  const hubs = connection.model<HubDocument>('Hub', hubSchema, 'hubs');
  const manifests = connection.model('Manifest', manifestSchema, 'manifests');
  const notices = connection.model('Notice', noticeSchema, 'notices');
  const changes = connection.model('Change', changeSchema, 'changes');
  const deadLetters = connection.model('DeadLetter', deadLetterSchema, 'deadLetters');
  const feeds = connection.model('Feed', feedSchema, 'feeds');
  const documents = connection.model('Document', treeDocumentSchema, 'documents');
  const contentFiles = connection.model('ContentFile', contentFileSchema, 'contents.files');
  const contentChunks = connection.model('ContentChunk', contentChunkSchema, 'contents.chunks');

  let refusal: string | undefined = 'it is being connected to';
  let missingPrimary = (): string | undefined => undefined;
  const closing = new AbortController();
  const attempt = async (connected: Promise<unknown>): Promise<void> => {
    try {
      await connected;
      await checkServer(connection);
      await ensureSchema(
        connection.collection<SchemaRow>('schema'),
        indexDigest(connection.models),
        () => createIndexes(connection),
        (reason) => {
          refusal = reason;
        },
      );
      watchWrites(connection);
      missingPrimary = watchServers(connection);
      elections.begin(() => storeCheck(connection.db));
      refusal = undefined;
    } catch (error) {
      refusal = outageReason(error);
      throw new StoreUnavailableError(selectionTimeout, error);
    }
  };
  const attempted = attempt(firstAttempt);
  const opened = untilOpen(attempted, () => attempt(connect()), closing.signal);
  // Whoever waits for them gets their errors.
  attempted.catch(() => {});

  const named = [
    usages,
    editKeys,
    branchDeletions,
    subscriptions,
    manifests,
    notices,
    changes,
    deadLetters,
    feeds,
    documents,
    contentFiles,
    contentChunks,
  ].map((model) => model.collection as unknown as mongo.Collection<{ _id: string }>);
  const itemRows = items.collection as unknown as mongo.Collection<ItemDocument>;
  const usageRows = usages.collection as unknown as mongo.Collection<UsageDocument>;
  const usage = new UsageCounter(usageRows);
  const files = contentFiles.collection as unknown as mongo.Collection<ContentFile>;
  const issuedRows = issued.collection as unknown as mongo.Collection<IssuedDocument>;
  const changeRows = changes.collection as unknown as mongo.Collection<ChangeDocument>;
  const log = new MongoChangeLog(changeRows);
  // Those who ask while one is on its way share the next one.
  const pings = new JoinedReads<'ping', { readonly _id: 'ping' }>(async () => {
    await connection.db?.admin().ping();
    return [];
  });
  const ping = async (): Promise<void> => void (await pings.read('ping'));
  const gate: Gate = { refusal: () => refusal, elections, ping };
  const guarded = <Port extends object>(port: Port, reads?: readonly (keyof Port)[]): Port =>
    guardedPort(port, gate, reads);
  const base = guardedPort(
    {
      ping,
      async check() {
        await checkWrites(connection.db, missingPrimary);
      },
      endStalledTransactions: () => endStalledTransactions(connection.getClient().db('admin')),
    },
    { refusal: () => refusal },
  );
  const collectionRows = collections.collection as unknown as mongo.Collection<CollectionDocument>;
  const noticeRows = notices.collection as unknown as mongo.Collection<NoticeDocument>;
  const feedStore = new MongoFeedStore(feeds);
  const publications = new Publications(collectionRows, changeRows, () =>
    connection.getClient().startSession(),
  );
  const contentsOfCollections: Contents = {
    lastSequence: (collection) => log.lastSequence(collection),
    removeLog: (collection) => log.remove(collection),
    async removeFirst(collection) {
      // What is counted later would be counted for a collection that has nothing.
      await usage.written();
      const range = keysOf(collection);
      const kinds = await Promise.all([
        removeItems(itemRows, issuedRows, range),
        ...named.map((rows) => removeFirst(rows, range)),
      ]);
      return kinds.every((isEmpty) => isEmpty);
    },
    async record(block, session) {
      await recordItems(itemRows, block, session);
      await endNotices(noticeRows, block, session);
      if (block.heads) await feedStore.markPublished(block.collection, block.heads, session);
    },
  };
  const collectionStore = new MongoCollectionStore(collections, retired, contentsOfCollections, publications);
  const store: OpenStore = {
    installation: guarded(new MongoInstallationStore(installations)),
    accessKeys: guarded(new MongoAccessKeyStore(accessKeys)),
    tenants: guarded(
      new MongoTenantStore(
        tenants,
        subscriptions.collection as unknown as mongo.Collection<{ _id: string }>,
        {
          items: itemRows,
          files,
          usage: usageRows,
          collections: collectionRows as unknown as mongo.Collection<{ _id: string }>,
        },
        usage,
      ),
    ),
    audit: guarded(new MongoAuditStore(audit.collection as unknown as mongo.Collection<AuditDocument>)),
    collections: guarded(collectionStore, ['find']),
    items: guarded(
      new MongoItemStore(
        itemRows,
        issuedRows,
        options.itemBytes ?? defaultItemBytes,
        usage,
        options.compose && new PublishedWrites(itemRows, publications, options.compose),
      ),
      ['load'],
    ),
    editKeys: guarded(new MongoEditKeyStore(editKeys)),
    branchDeletions: guarded(
      new MongoBranchDeletionStore(
        branchDeletions.collection as unknown as mongo.Collection<BranchDeletionDocument>,
      ),
    ),
    subscriptions: guarded(
      new MongoSubscriptionStore(subscriptions, publications, (key) =>
        collectionStore.countSubscriptionChange(key),
      ),
      ['find', 'matching'],
    ),
    hubs: guarded(new MongoHubStore(hubs.collection as unknown as mongo.Collection<HubDocument>)),
    manifests: guarded(new MongoManifestStore(manifests)),
    notices: guarded(new MongoNoticeStore(notices)),
    changes: guarded(log),
    deadLetters: guarded(new MongoDeadLetterStore(deadLetters)),
    feeds: guarded(feedStore),
    documents: guarded(
      new MongoDocumentStore(documents.collection as unknown as mongo.Collection<StoredTreeDocument>),
    ),
    contents: guarded(
      new MongoContentStore(
        files,
        contentChunks.collection as unknown as mongo.Collection<ContentChunk>,
        usage,
      ),
    ),
    async close() {
      closing.abort();
      elections.end();
      if (refusal === undefined) await usage.written();
      // Mongoose would wait for a connection that it is still opening.
      if (refusal === undefined) await connection.close();
      else await connection.getClient()?.close();
      stopReleasing();
      refusal = 'the store is closed';
    },
    ping: () => base.ping(),
    check: () => base.check(),
    endStalledTransactions: () => base.endStalledTransactions(),
    schema: guarded(new SchemaExamination(connection)),
  };
  return { store, attempted, opened };
}

async function createIndexes(connection: Connection): Promise<void> {
  await connection.model('Item').createCollection();
  await Promise.all(Object.values(connection.models).map((model) => model.createIndexes()));
}

/** Throws for a connection string that can never be used, which no further attempt would change. */
function checkAddress({ uri, tls }: StoreOptions): void {
  try {
    void new mongoose.mongo.MongoClient(uri, { ...tls });
  } catch (error) {
    throw new StoreAddressError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

const never = new Promise<never>(() => {});

/** Resolves with the first attempt that succeeds, and never after the signal has aborted. */
async function untilOpen(first: Promise<void>, retry: () => Promise<void>, end: AbortSignal): Promise<void> {
  for (let attempt = first; ; attempt = retry()) {
    try {
      return await attempt;
    } catch {
      // What kept it from being opened is in the refusal of its ports.
    }
    await wait(attemptPause, undefined, { signal: end }).catch(() => never);
  }
}

/** The database that a connection string names. */
function databaseIn(uri: string): string | undefined {
  const name = /^mongodb(?:\+srv)?:\/\/[^/?]+\/([^?]+)/.exec(uri)?.[1];
  return name === undefined ? undefined : decodeURIComponent(name);
}
