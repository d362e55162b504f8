export { mendFeed } from './mend-feed.ts';
export type { BrokenDocument, MendedFeed } from './mend-feed.ts';
export { pageBytes, pageFeeds } from './page-feeds.ts';
