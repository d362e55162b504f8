/** What other teams import, as `feedmesh/client`. */
export type { ChangeEvent, ItemEvent, SubscriptionEvent } from '#contracts';
export { UnrecoverableError } from 'bullmq';
export { ChangeGapError } from '../changes/change-gap-error.ts';
export { listDeadEvents, retryDeadEvents } from '../changes/dead-events.ts';
export type { DeadEvent } from '../changes/dead-events.ts';
export type { ConsumerGroup } from '../changes/open-group.ts';
export { setPlace } from '../changes/set-place.ts';
export { JobDataError } from '../command-queue.ts';
export { MessageController } from '../message-controller.ts';
export { ChangeEventServer } from './change-event-server.ts';
export type { ChangeEventServerOptions } from './change-event-server.ts';
export { consumeChanges } from './consume-changes.ts';
export type { ConsumeOptions } from './consume-changes.ts';
export { FeedmeshClient } from './feedmesh-client.ts';
