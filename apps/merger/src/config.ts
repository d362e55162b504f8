import type { z } from 'zod';
import { serviceSettings, wholeNumber } from '#runtime';

/** The settings of the merger. */
export const mergerSettings = serviceSettings.extend({
  SETTLE_CONCURRENCY: wholeNumber(1, 1000).default(4).describe('Fetches that one merger settles at the same time'),
});
export type MergerConfiguration = z.output<typeof mergerSettings>;
