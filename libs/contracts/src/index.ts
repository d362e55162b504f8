export { changeEvent, formatCursor, itemChangeTypes, parseCursor } from './change-event.ts';
export type { ChangeEvent, ItemChangeType } from './change-event.ts';
export { commandSchemas } from './command.ts';
export type { Command, CommandName } from './command.ts';
export { explainFeedUrl, suggestFeedUrl } from './feed-url.ts';
export {
  collectionName,
  downloadJob,
  fetchJob,
  jobSchemas,
  mergeJob,
  mirrorJob,
  publishJob,
  requestFetch,
  requestPublish,
  requestFinalize,
  finalizeJob,
  subscriptionName,
} from './job.ts';
export type {
  DownloadJob,
  FetchJob,
  Job,
  MergeJob,
  MirrorJob,
  PublishJob,
  QueueName,
  FinalizeJob,
} from './job.ts';
export { pathSegment, textOfPathSegment } from './path-segment.ts';
