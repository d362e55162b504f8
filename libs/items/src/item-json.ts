import type { CseItemJson } from './cse-json.ts';
import type { FeedSyncItemJson } from './feedsync-json.ts';
import type { SseItemJson } from './sse-json.ts';

/** An item as the HTTP interface and the command line show it, by the protocol of its collection. */
export type ItemJson = FeedSyncItemJson | SseItemJson | CseItemJson;
