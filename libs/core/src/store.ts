import type { AccessKeyStore } from './access-key.ts';
import type { AuditStore } from './audit.ts';
import type { BranchDeletionStore } from './branch-deletion.ts';
import type { ChangeLog } from './change.ts';
import type { CollectionStore } from './collection.ts';
import type { ContentStore } from './content.ts';
import type { DeadLetterStore } from './dead-letter.ts';
import type { EditKeyStore } from './edit-key.ts';
import type { HubStore } from './hub.ts';
import type { InstallationStore } from './installation.ts';
import type { ItemStore } from './item-store.ts';
import type { ManifestStore } from './manifest.ts';
import type { NoticeStore } from './notice.ts';
import type { SubscriptionStore } from './subscription.ts';
import type { TenantStore } from './tenant.ts';
import type { DocumentStore, FeedStore } from './tree.ts';

/** Everything that is kept: the truth that all services share. */
export interface Store {
  readonly installation: InstallationStore;
  readonly accessKeys: AccessKeyStore;
  readonly tenants: TenantStore;
  readonly audit: AuditStore;
  readonly collections: CollectionStore;
  readonly items: ItemStore;
  readonly editKeys: EditKeyStore;
  readonly branchDeletions: BranchDeletionStore;
  readonly subscriptions: SubscriptionStore;
  readonly hubs: HubStore;
  readonly manifests: ManifestStore;
  readonly notices: NoticeStore;
  readonly changes: ChangeLog;
  readonly deadLetters: DeadLetterStore;
  /**
   * Of collections of Content Sync Extensions: the feeds of their trees, the documents of those that are
   * mirrored, and files.
   */
  readonly feeds: FeedStore;
  readonly documents: DocumentStore;
  readonly contents: ContentStore;
}
