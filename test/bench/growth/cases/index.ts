import type { GrowthCase } from '../growth-case.ts';
import { collectionCases } from './collections.ts';
import { outlineCases } from './outlines.ts';
import { readerCases } from './readers.ts';
import { storageCases } from './storage.ts';
import { subscriptionCases } from './subscriptions.ts';
import { treeCases } from './trees.ts';

/** Everything that is counted, in the order of the table. */
export const growthCases: readonly GrowthCase[] = [
  ...collectionCases,
  ...subscriptionCases,
  ...readerCases,
  ...outlineCases,
  ...treeCases,
  ...storageCases,
];
