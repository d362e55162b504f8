import type { z } from 'zod';
import { serviceSettings, wholeNumber } from '#runtime';
import { defaultBatchLimits } from './batch-sender.ts';

/** The settings of the fetcher. Times are in milliseconds. */
export const fetcherSettings = serviceSettings.extend({
  FETCH_BATCH_ITEMS: wholeNumber(1, 10_000).default(defaultBatchLimits.items).describe('Items in a merge job'),
  FETCH_BATCH_CHARACTERS: wholeNumber(1000, 100_000_000).default(defaultBatchLimits.characters).describe('Characters of XML in a merge job'),
  FETCH_BACKLOG: wholeNumber(1, 1_000_000).default(defaultBatchLimits.backlog).describe('Waiting merge jobs at which fetching pauses'),
  FETCH_CLAIM: wholeNumber(1000, 86_400_000).default(300_000).describe('How long a fetch may go without a sign of life before another may begin'),
  FETCH_SCHEDULE_PAUSE: wholeNumber(10, 3_600_000).default(1000).describe('The pause between two looks at what is due'),
  FETCH_RECONCILE_PAUSE: wholeNumber(10, 3_600_000).default(5000).describe('The pause between two looks for interrupted fetches'),
  FETCH_PATIENCE: wholeNumber(1000, 86_400_000).default(60_000).describe('How long a fetch may be quiet while no merge job waits'),
  FETCH_LONGEST_PATIENCE: wholeNumber(1000, 86_400_000).default(600_000).describe('How long a fetch may be quiet at all'),
});
export type FetcherConfiguration = z.output<typeof fetcherSettings>;
