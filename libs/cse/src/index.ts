export type { CachedDocument } from './cached-document.ts';
export type { Arrival, Download, Failure } from './download.ts';
export { planFeed } from './feed-plan.ts';
export { earliestDate } from './feed.ts';
export type { Feed, Item, Link } from './feed.ts';
export { defaultTreeLimits } from './tree-limits.ts';
export type { TreeLimits } from './tree-limits.ts';
export { TreeWalk } from './tree-walk.ts';
export type { Progress } from './walk-report.ts';
