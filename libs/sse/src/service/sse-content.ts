import type { Payload } from '#xml';
import type { Item } from '../engine/item.ts';

/** What an item of SSE is to the services. */
export type SseContent = Item<Payload>;
