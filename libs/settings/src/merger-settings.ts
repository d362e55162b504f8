import type { z } from 'zod';
import { serviceSettings, wholeNumber } from '#configuration';

/** The settings of the merger. */
export const mergerSettings = serviceSettings.extend({
  MERGE_CONCURRENCY: wholeNumber(1, 1000).default(4).describe('Batches that one merger has under way at the same time'),
  SETTLE_CONCURRENCY: wholeNumber(1, 1000).default(4).describe('Fetches that one merger settles at the same time'),
});
export type MergerConfiguration = z.output<typeof mergerSettings>;
