import type { Payload } from '#xml';
import type { Item } from '../engine/item.ts';

/** What an item of FeedSync is to the services. */
export type FeedSyncContent = Item<Payload>;
