export { collectionScope, grant, parseGrant, permissions } from './access.ts';
export type { Demand, Grant, Permission } from './access.ts';
export { changeEvent, formatCursor, parseCursor } from './change-event.ts';
export type { ChangeEvent } from './change-event.ts';
export { commandDemand, commandSchemas } from './command.ts';
export type { Command, CommandName, ParsedCommand } from './command.ts';
export { credentials, sealedCredentials } from './credentials.ts';
export type { Credentials } from './credentials.ts';
export { explainFeedUrl, suggestFeedUrl } from './feed-url.ts';
export * from './http/index.ts';
export { itemChangeTypes, itemEvent } from './item-event.ts';
export type { ItemChangeType, ItemEvent } from './item-event.ts';
export {
  deleteJob,
  downloadJob,
  fetchJob,
  jobSchemas,
  mergeJob,
  mirrorJob,
  previewJob,
  publishJob,
  requestDeletion,
  requestFetch,
  requestFirstFetches,
  fetchedTogether,
  requestFollow,
  requestPublish,
  requestFinalize,
  finalizeJob,
} from './job.ts';
export type {
  DeleteJob,
  DownloadJob,
  FetchJob,
  Job,
  MergeJob,
  MirrorJob,
  PreviewJob,
  PublishJob,
  QueueName,
  FinalizeJob,
} from './job.ts';
export { collectionKey, itemId, nameOf, subscriptionId } from './key.ts';
export type { CollectionKey, ItemId, SubscriptionId } from './key.ts';
export { collectionName, subscriptionName, tenantName, tenantOf } from './name.ts';
export { pathSegment, textOfPathSegment } from './path-segment.ts';
export { contracts } from './registry.ts';
export { subscriptionEvent } from './subscription-event.ts';
export type { SubscriptionEvent } from './subscription-event.ts';
export type { Described } from './registry.ts';
