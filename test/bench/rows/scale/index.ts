import type { Row } from '../../row.ts';
import { manyCollections } from './collections.ts';
import { manyConflicts } from './conflicts.ts';
import { manyItems } from './items.ts';
import { largeFeed } from './memory.ts';
import { manyProcesses } from './processes.ts';
import { manyStreams } from './streams.ts';
import { subscriptionList } from './subscription-list.ts';
import { editsBesideFeeds } from './edits-beside-feeds.ts';
import { manySubscriptions } from './subscriptions.ts';

/** Feedmesh at a large size beside itself at a small one, in the order of the table. */
export const scaleRows: readonly Row[] = [
  manyItems,
  manyCollections,
  manySubscriptions,
  editsBesideFeeds,
  subscriptionList,
  manyProcesses,
  manyConflicts,
  largeFeed,
  manyStreams,
];
