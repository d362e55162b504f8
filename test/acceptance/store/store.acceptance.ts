import { describeAccessKeyStore } from './access-key-store.acceptance.ts';
import { describeBranchDeletionStore } from './branch-deletion-store.acceptance.ts';
import { describeChangeLog } from './change-log.acceptance.ts';
import { describeCollectionStore } from './collection-store.acceptance.ts';
import { describeContentStore } from './content-store.acceptance.ts';
import { describeDeadLetterStore } from './dead-letter-store.acceptance.ts';
import { describeDocumentStore } from './document-store.acceptance.ts';
import { describeEditKeyStore } from './edit-key-store.acceptance.ts';
import { describeFeedStore } from './feed-store.acceptance.ts';
import type { OpenFixture } from './fixture.ts';
import { describeHubStore } from './hub-store.acceptance.ts';
import { describeInstallationStore } from './installation-store.acceptance.ts';
import { describeItemBranch } from './item-branch.acceptance.ts';
import { describeItemPosition } from './item-position.acceptance.ts';
import { describeItemPublishing } from './item-publishing.acceptance.ts';
import { describeItemRemoval } from './item-removal.acceptance.ts';
import { describeItemSize } from './item-size.acceptance.ts';
import { describeItemStore } from './item-store.acceptance.ts';
import { describeItemWindow } from './item-window.acceptance.ts';
import { describeManifestStore } from './manifest-store.acceptance.ts';
import { describeNoticeStore } from './notice-store.acceptance.ts';
import { describeSubscriptionStore } from './subscription-store.acceptance.ts';
import { describeTenantStore } from './tenant-store.acceptance.ts';

/** What every store does, port by port. */
export function describeStore(name: string, open: OpenFixture): void {
  describeInstallationStore(name, open);
  describeAccessKeyStore(name, open);
  describeTenantStore(name, open);
  describeCollectionStore(name, open);
  describeItemStore(name, open);
  describeEditKeyStore(name, open);
  describeBranchDeletionStore(name, open);
  describeItemSize(name, open);
  describeItemPosition(name, open);
  describeItemBranch(name, open);
  describeItemPublishing(name, open);
  describeItemWindow(name, open);
  describeItemRemoval(name, open);
  describeSubscriptionStore(name, open);
  describeHubStore(name, open);
  describeManifestStore(name, open);
  describeNoticeStore(name, open);
  describeChangeLog(name, open);
  describeDeadLetterStore(name, open);
  describeContentStore(name, open);
  describeFeedStore(name, open);
  describeDocumentStore(name, open);
}
