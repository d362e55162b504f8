export type { FeedContext } from './item/feed-context.ts';
export { mendItem } from './item/mend-item.ts';
export { mendFeed } from './mend-feed.ts';
export type { BrokenDocument, MendedFeed } from './mend-feed.ts';
export { pageBytes, pageFeeds } from './page-feeds.ts';
export { adoptedLength, PlainItems } from './reading/plain-items.ts';
export { CutOffError, readFeed } from './reading/read-feed.ts';
export type { ReadFeed, Tolerance } from './reading/read-feed.ts';
