export { parseUrl } from '#xml';
export { collectionKey, itemId, nameOf, subscriptionId, tenantOf } from '#contracts';
export type { CollectionKey, ItemId, SubscriptionId } from '#contracts';
export type { Grant, Permission } from '#contracts';
export type { AccessKey, AccessKeyStore, SecretDigest } from './access-key.ts';
export { auditIdAt } from './audit.ts';
export type { Actor, AuditEntry, AuditFilter, AuditRecord, AuditStore } from './audit.ts';
export type {
  BranchDeletion,
  BranchDeletionStore,
  DeletionEnd,
  DeletionLease,
  DeletionProgress,
} from './branch-deletion.ts';
export { lastSequenceOf } from './change.ts';
export type { ChangeBlock, ChangeLog, ComposeBlock, EventStream, LoggedBlock } from './change.ts';
export { eventOf, eventText, firstBytes } from './event-text.ts';
export type { Random, Clock } from './clock.ts';
export type {
  Collection,
  CollectionSettings,
  CollectionStore,
  PublicationOutcome,
  Followed,
  Publication,
  ResolutionPolicy,
} from './collection.ts';
export { ContentError } from './content.ts';
export type { Content, ContentStore } from './content.ts';
export { itemLetterId, storableLetter } from './dead-letter.ts';
export type { DeadLetter, DeadLetterStore, RejectedItems } from './dead-letter.ts';
export { backoffSeconds } from './backoff.ts';
export { failureCause } from './failure-cause.ts';
export { fetchRecord, rememberedFetches } from './fetch-history.ts';
export type { FetchHistory, FetchRecord, FetchTransfer } from './fetch-history.ts';
export { fetchLimits } from './fetch-limits.ts';
export { fitting } from './fitting.ts';
export { downloadFailure, namingSettings } from './download-failure.ts';
export type { LimitNames } from './download-failure.ts';
export { endBody, FetchError } from './http.ts';
export type {
  FetchRequest,
  FetchResponse,
  FormRequest,
  Freshness,
  HttpFetch,
  HttpPost,
  ServerWaits,
} from './http.ts';
export { budgetRecovery, slowestShare } from './host-budget.ts';
export type { BudgetAnswer, BudgetLimits, HostBudget } from './host-budget.ts';
export { pollKey } from './poll-leases.ts';
export type { PollLeases } from './poll-leases.ts';
export { allGrants, permits, permitsScope, permitsSome } from './grants.ts';
export { announcedReason, reliedReason, unannouncedReason, withoutHubSecrets } from './hub.ts';
export type { FeedHub, FeedHubChange, HubStore, HubSubscription } from './hub.ts';
export type { InstallationStore } from './installation.ts';
export type { EditKey, EditKeyStore } from './edit-key.ts';
export { sharedContent } from './item-content.ts';
export { areSameSources, fetchPassOf } from './item.ts';
export type { ItemContent, SharedContent, TreeContent, TreeLink } from './item-content.ts';
export type {
  ChildPlace,
  ChildState,
  FeedItem,
  FeedWindow,
  WindowStart,
  ItemStore,
  ItemWrite,
  Traced,
  LatestItem,
  KeyRange,
  PendingItem,
  PlacedItem,
  PlaceRange,
  PublishedItem,
} from './item-store.ts';
export { noItems, timePlaceOf } from './item-lists.ts';
export type {
  ByCollection,
  ConflictPlace,
  ItemCounts,
  ItemSelection,
  TimeOrder,
  TimePlace,
} from './item-lists.ts';
export type { Announcement, TreeRefs, EditMark, Source, StoredItem, VersionSummary } from './item.ts';
export { dueWindow, shareOut } from './share-out.ts';
export { LatestEntries } from './latest-entries.ts';
export { pagesOf } from './pages.ts';
export type { PageRequest } from './pages.ts';
export { isWhole, reportedViolations } from './manifest.ts';
export type { BatchReport, Manifest, ManifestSeal, ManifestStore } from './manifest.ts';
export type { Notice, NoticeStore } from './notice.ts';
export type { JobQueue, Replies } from './queue.ts';
export type { Store } from './store.ts';
export { itemBytes, limitedGrowth, writtenGrowth } from './item-growth.ts';
export type {
  Recount,
  StoredUsage,
  Tenant,
  TenantChange,
  TenantLimits,
  TenantStore,
  TenantUsage,
} from './tenant.ts';
export {
  counted,
  exceededKind,
  isSmallGrowth,
  limitSource,
  nothingStored,
  storedKinds,
  TenantLimitError,
  withGrowth,
} from './tenant-limit.ts';
export type { StoredReading, TenantLimit } from './tenant-limit.ts';
export { streamLease } from './tenant-quota.ts';
export type { TenantQuota } from './tenant-quota.ts';
export { fullBucket, grantedPart, grantedPartOfRate, grantTokens, refilledBucket } from './token-bucket.ts';
export type { BucketLimits, TokenBucket, TokenGrant } from './token-bucket.ts';
export { originOf } from './sealed-credentials.ts';
export type { SealedCredentials } from './sealed-credentials.ts';
export type {
  Completion,
  Cursor,
  DueFilter,
  DueSubscription,
  FeedSummary,
  FetchReport,
  FetchResult,
  FoundState,
  FoundSubscription,
  NextFetch,
  Release,
  StatedSchedule,
  Subscription,
  SubscriptionStore,
  TreeCursor,
  TreeProgress,
} from './subscription.ts';
export type { Rhythm } from './rhythm.ts';
export { comparableUrl, hostOf, isSameSummary, withoutUserInfo } from './subscription.ts';
export { noSubscriptions, subscriptionState } from './subscription-state.ts';
export type { SubscriptionCounts, SubscriptionFilter, SubscriptionState } from './subscription-state.ts';
export { checkSizes, defaultItemBytes, ItemSizeError, storedSize } from './stored-size.ts';
export { rootFeed } from './tree.ts';
export type {
  CachedCopy,
  DocumentStore,
  DownloadOutcome,
  FeedStore,
  FoundDocument,
  PendingFeed,
  TreeDocument,
  TreeFeed,
} from './tree.ts';
export { UnavailableError } from './unavailable-error.ts';
export { EditError } from './edit-error.ts';
export { TooManyConflictsError } from './too-many-conflicts-error.ts';
export type { IssuedRecord, Signature } from './issued-record.ts';
export type { Placed, Position } from './position.ts';
export { compareCodePoints } from './code-point.ts';
export { finish } from '#xml';
export type { Steps } from '#xml';
export type { Sighting } from './sighting.ts';
export { inSlices, othersTurn, Slices, sorted } from './steps.ts';
export type { Resigning } from './issued-record.ts';
export type { TreeValues } from './item-content.ts';
export type { DownloadFailure } from './download-failure.ts';
export { AuditLog } from './audit-log/audit-log.ts';
export { LogVerifier } from './audit-log/log-verifier.ts';
export type { AuditFault } from './audit-log/log-verifier.ts';
export {
  accessKeyIdOf,
  digestAccessKey,
  isSameSecret,
  makeAccessKey,
  parseAccessKey,
} from './secrets/access-key-text.ts';
export { CredentialKeysError, parseCredentialKeys } from './secrets/credential-keys.ts';
export type { CredentialKeys } from './secrets/credential-keys.ts';
export { headerFieldsOf } from './secrets/header-fields.ts';
export { isSealedKey, openKey, sealKey } from './secrets/seal-key.ts';
export {
  CredentialsError,
  openCredentials,
  resealCredentials,
  sealCredentials,
} from './secrets/seal-credentials.ts';
