import type { ChangeLog } from './change.ts';
import type { CollectionStore } from './collection.ts';
import type { DeadLetterStore } from './dead-letter.ts';
import type { ItemStore } from './item.ts';
import type { ManifestStore } from './manifest.ts';
import type { NoticeStore } from './notice.ts';
import type { SubscriptionStore } from './subscription.ts';

/** Everything that is kept: the truth that all services share. */
export interface Store {
  readonly collections: CollectionStore;
  readonly items: ItemStore;
  readonly subscriptions: SubscriptionStore;
  readonly manifests: ManifestStore;
  readonly notices: NoticeStore;
  readonly changes: ChangeLog;
  readonly deadLetters: DeadLetterStore;
}
