export { mendFeed } from './mend-feed.ts';
export type { MendedFeed } from './mend-feed.ts';
export { pageFeed } from './page-feed.ts';
