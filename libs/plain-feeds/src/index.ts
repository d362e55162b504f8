export { feedLinks } from './feed-links.ts';
export type { FeedLink } from './feed-links.ts';
export { mendFeed } from './mend-feed.ts';
export type { MendedFeed } from './mend-feed.ts';
