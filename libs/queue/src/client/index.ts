/** What other teams import, as `feedmesh/client`. */
export type { ChangeEvent } from '#contracts';
export { UnrecoverableError } from 'bullmq';
export { JobDataError } from '../command-queue.ts';
export { MessageController } from '../message-controller.ts';
export { ChangeEventServer } from './change-event-server.ts';
export type { ChangeEventServerOptions } from './change-event-server.ts';
export { consumeChanges } from './consume-changes.ts';
export type { ConsumeOptions } from './consume-changes.ts';
export { FeedmeshClient } from './feedmesh-client.ts';
