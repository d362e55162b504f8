export type { ActorView } from './actor.ts';
export { auditQuery } from './audit.ts';
export type { AuditEntryView } from './audit.ts';
export { accessKeyBody, rotationBody } from './access-key.ts';
export type { AccessKeyBody, AccessKeyView, IssuedKeyView } from './access-key.ts';
export { changes } from './changes.ts';
export type { ChangesView } from './changes.ts';
export { anyProtocol, collection, collectionPage } from './collection.ts';
export type { CollectionView, RenewedCollectionView } from './collection.ts';
export { collectionBody, endpointBody, visibilityBody } from './collection-body.ts';
export type { DeadLetterView, DiscardedLettersView, RetriedLettersView } from './dead-letter.ts';
export type { DeletionView } from './deletion.ts';
export type { DiscoveredFeedView } from './discovered-feed.ts';
export type { DocumentState, DocumentView, RequestedLinkView } from './document.ts';
export type { FetchesView, FetchView } from './fetch.ts';
export { fileDigest } from './file.ts';
export type { FileView, StoredFileView } from './file.ts';
export type { ImportedOutlineView } from './imported-outline.ts';
export type {
  AnyItemView,
  BranchView,
  ConflictingItemView,
  ItemVersionView,
  ItemView,
  ModificationView,
  NumberedItemView,
  OutlineView,
  TreeItemView,
  VersionedItemView,
} from './item.ts';
export {
  contentFields,
  itemCreation,
  itemPatch,
  itemPlace,
  itemResolution,
  itemUpdate,
  treeItemFields,
} from './item-body.ts';
export { itemDeletion } from './item-body.ts';
export type { ContentBody, TreeItemBody } from './item-body.ts';
export type { TreeLinkView } from './link.ts';
export type { MeView } from './me.ts';
export { patchTypes, isChange, isItemEdit, problemsOf, requestHeaders, tags } from './operation.ts';
export type { Operation, ResponseContract } from './operation.ts';
export { allChangesQuery, changesQuery, cursorQuery } from './operations/change-operations.ts';
export { deadLettersQuery } from './operations/dead-letter-operations.ts';
export { indexQuery } from './operations/index-operations.ts';
export { operations } from './operations/operations.ts';
export type { OperationName } from './operations/operations.ts';
export { additionQuery, outlineQuery } from './operations/outline-operations.ts';
export { documentsQuery, treeQuery } from './operations/tree-operations.ts';
export { pageParameters, pageQuery } from './page.ts';
export type { Page } from './page.ts';
export { collectionsQuery } from './operations/collection-operations.ts';
export { itemsQuery } from './items-query.ts';
export type { ItemsQuery } from './items-query.ts';
export { itemIdSegment, linkNumber, pathParameters } from './parameters.ts';
export { previewBody } from './preview.ts';
export type { PreviewFailure, PreviewReply, PreviewView } from './preview.ts';
export { problem } from './problem.ts';
export type { ProblemView } from './problem.ts';
export { problemRules } from './problem-rules.ts';
export type { ProblemRule } from './problem-rules.ts';
export type { ServiceIndexView } from './service-index.ts';
export { newSubscriptionBody, subscriptionBody, subscriptionPatch } from './subscription-body.ts';
export type {
  FetchReportView,
  SubscribedListView,
  SubscribedView,
  SubscriptionView,
} from './subscription.ts';
export {
  allSubscriptionsQuery,
  subscriptionCountsQuery,
  subscriptionFilterQuery,
  subscriptionsQuery,
} from './subscription-counts.ts';
export type { ChangedSubscriptionsView, SubscriptionCountsView } from './subscription-counts.ts';
export { tenantBody, tenantLimits } from './tenant.ts';
export type { TenantBody, TenantView } from './tenant.ts';
export { treeFeedBody, treeFeedId } from './tree-feed.ts';
export type { TreeFeedBody, TreeFeedView, TreePageView } from './tree-feed.ts';
export type { ViolationView } from './violation.ts';
