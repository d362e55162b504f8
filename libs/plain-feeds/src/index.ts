export { mendFeed } from './mend-feed.ts';
export type { MendedFeed } from './mend-feed.ts';
export { pageBytes, pageFeed } from './page-feed.ts';
