export type { ChangeEvent } from '#contracts';
export { JobDataError, MessageController, UnrecoverableError } from '#queue';
export { ChangeEventServer } from './change-event-server.ts';
export type { ChangeEventServerOptions } from './change-event-server.ts';
export { consumeChanges } from './consume-changes.ts';
export type { ConsumeOptions } from './consume-changes.ts';
export { FeedmeshClient } from './feedmesh-client.ts';
