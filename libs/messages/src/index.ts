export { changeEvent, formatCursor, itemChangeTypes, parseCursor } from './change-event.ts';
export type { ChangeEvent, ItemChangeType } from './change-event.ts';
export { commandSchemas } from './command.ts';
export type { Command, CommandName } from './command.ts';
export { collectionName, fetchJob, jobSchemas, mergeJob, publishJob, requestFetch, requestPublish, requestSettle, settleJob, subscriptionName } from './job.ts';
export type { FetchJob, Job, MergeJob, PublishJob, QueueName, SettleJob } from './job.ts';
