import { defaultTreeLimits } from '#cse';
import type { TreeSettings } from '../../apps/fetcher/src/tree/tree-settings.ts';

const tree: TreeSettings = {
  limits: defaultTreeLimits,
  batch: 8,
  parallel: 32,
  parallelPerHost: 4,
  poll: 250,
  resend: 60_000,
  progress: 5000,
};

/** Settings of a fetch for tests of something else: small batches, and trees as they are walked usually. */
export const usualFetch = {
  batch: { items: 100, characters: 100_000, backlog: 100 },
  lease: 60_000,
  markupLength: 1000,
  tree,
};

/** A walk in steps so small that a tree of a few documents takes several. */
export const smallWalk: TreeSettings = {
  ...tree,
  batch: 2,
  parallel: 4,
  parallelPerHost: 2,
  poll: 100,
  resend: 5000,
  progress: 1000,
};

/** A fetch in steps so small that a few items take several batches. */
export const smallFetch = {
  batch: { items: 3, characters: 10_000, backlog: 50 },
  lease: 30_000,
  markupLength: 1000,
  tree: smallWalk,
};
