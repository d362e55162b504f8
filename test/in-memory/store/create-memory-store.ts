import { defaultItemBytes } from '#core';
import type {
  ChangeBlock,
  Clock,
  CollectionKey,
  ComposeBlock,
  DeadLetter,
  ItemWrite,
  Manifest,
  Store,
  StoredItem,
} from '#core';
import { MemoryAccessKeyStore } from './memory-access-key-store.ts';
import { MemoryAuditStore } from './memory-audit-store.ts';
import { MemoryBranchDeletionStore } from './memory-branch-deletion-store.ts';
import type { LeasedDeletion } from './memory-branch-deletion-store.ts';
import { MemoryChangeLog } from './memory-change-log.ts';
import { MemoryCollectionStore } from './memory-collection-store.ts';
import { MemoryContentStore } from './memory-content-store.ts';
import type { KeptContent } from './memory-content-store.ts';
import { MemoryDeadLetterStore } from './memory-dead-letter-store.ts';
import { MemoryDocumentStore } from './memory-document-store.ts';
import type { DocumentRecord } from './memory-document-store.ts';
import { MemoryEditKeyStore } from './memory-edit-key-store.ts';
import type { EditKeyRecord } from './memory-edit-key-store.ts';
import { MemoryFeedStore } from './memory-feed-store.ts';
import type { FeedRecord } from './memory-feed-store.ts';
import { MemoryHubStore } from './memory-hub-store.ts';
import type { HubRecord } from './memory-hub-store.ts';
import { MemoryInstallationStore } from './memory-installation-store.ts';
import { MemoryIssued } from './memory-issued.ts';
import { MemoryItemStore } from './memory-item-store.ts';
import { MemoryManifestStore } from './memory-manifest-store.ts';
import { MemoryNoticeStore } from './memory-notice-store.ts';
import type { KeptNotice } from './memory-notice-store.ts';
import type { LeasedSubscription } from './memory-subscription-store.ts';
import { MemorySubscriptionStore } from './memory-subscription-store.ts';
import { MemoryTenantStore } from './memory-tenant-store.ts';
import { Records } from './records.ts';

/**
 * A store in memory that behaves as the one in MongoDB does; leases run by the given clock.
 * @param options `itemBytes`: how large an item may be, as it would be in MongoDB; `compose`: as of
 *   `openStore`
 */
export function createMemoryStore({
  clock,
  itemBytes = defaultItemBytes,
  compose = () => undefined,
}: {
  clock: Pick<Clock, 'now'>;
  itemBytes?: number;
  compose?: ComposeBlock;
}): Store {
  const items = new Records<StoredItem>();
  const issued = new MemoryIssued();
  const editKeys = new Records<EditKeyRecord>();
  const branchDeletions = new Records<LeasedDeletion>();
  const subscriptions = new Records<LeasedSubscription>();
  const hubs = new Records<HubRecord>();
  const manifests = new Records<Manifest>();
  const notices = new Records<KeptNotice>();
  const deadLetters = new Records<DeadLetter>();
  const feeds = new Records<FeedRecord>();
  const documents = new Records<DocumentRecord>();
  const files = new Records<KeptContent>();
  const changes = new MemoryChangeLog();
  const contents = {
    lastSequence: (collection: CollectionKey) => changes.lastSequence(collection),
    append: (block: ChangeBlock) => changes.add(block),
    record(block: ChangeBlock) {
      itemStore.record(block);
      noticeStore.end(block.collection, block.notices);
      feedStore.end(block.collection, block.heads ?? []);
    },
    removeLog: (collection: CollectionKey) => changes.removeCollection(collection),
    remove(collection: CollectionKey) {
      for (const item of items.select({ where: (item) => item.collection === collection })) issued.keep(item);
      for (const records of [
        items,
        editKeys,
        branchDeletions,
        subscriptions,
        manifests,
        notices,
        deadLetters,
        feeds,
        documents,
        files,
      ])
        records.removeCollection(collection);
      changes.removeCollection(collection);
    },
  };
  const collections = new MemoryCollectionStore(contents);
  const itemStore = new MemoryItemStore(items, issued, itemBytes, (writes) =>
    publishWrites(collections, compose, writes),
  );
  const feedStore = new MemoryFeedStore(feeds);
  const noticeStore = new MemoryNoticeStore(notices);
  const subscriptionStore = new MemorySubscriptionStore(subscriptions, clock, collections);
  return {
    accessKeys: new MemoryAccessKeyStore(),
    audit: new MemoryAuditStore(),
    installation: new MemoryInstallationStore(),
    collections,
    items: itemStore,
    editKeys: new MemoryEditKeyStore(editKeys),
    branchDeletions: new MemoryBranchDeletionStore(branchDeletions, clock),
    subscriptions: subscriptionStore,
    tenants: new MemoryTenantStore(collections, subscriptionStore, {
      items: (where) => items.select({ where }),
      files: (where) => files.select({ where }),
    }),
    hubs: new MemoryHubStore(hubs),
    manifests: new MemoryManifestStore(manifests),
    notices: noticeStore,
    changes,
    deadLetters: new MemoryDeadLetterStore(deadLetters),
    feeds: feedStore,
    documents: new MemoryDocumentStore(documents),
    contents: new MemoryContentStore(files),
  };
}

/** Publishes writes of one collection: adds the block that they make to the log, and returns it. */
function publishWrites(
  collections: MemoryCollectionStore,
  compose: ComposeBlock,
  writes: readonly ItemWrite[],
): ChangeBlock | undefined {
  const [first] = writes;
  const collection = first && collections.get(first.item.collection);
  const block = collection && compose(writes, collection);
  if (block !== undefined) collections.append(block);
  return block;
}
