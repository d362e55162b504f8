export { createMemoryHttp } from './http/memory-http.ts';
export type { MemoryAnswer, MemoryHandler, MemoryHttp } from './http/memory-http.ts';
export { createMemoryEventStream } from './queue/memory-event-stream.ts';
export { MemoryFetchHistory } from './queue/memory-fetch-history.ts';
export { createMemoryReplies } from './queue/memory-replies.ts';
export { createMemoryQueue } from './queue/memory-queue.ts';
export type { JobHandlers, MemoryQueue, MemoryQueueOptions } from './queue/memory-queue.ts';
export { createMemoryStore } from './store/create-memory-store.ts';
export { sampleCollection, sampleSubscription } from './samples.ts';
