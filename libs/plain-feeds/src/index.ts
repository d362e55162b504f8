export type { FeedContext } from './item/feed-context.ts';
export { mendItem } from './item/mend-item.ts';
export { mendFeed } from './mend-feed.ts';
export type { BrokenDocument, MendedFeed } from './mend-feed.ts';
export { pageBytes, pageFeeds } from './page-feeds.ts';
