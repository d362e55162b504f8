import type { z } from 'zod';
import { wholeNumber } from './setting-kinds.ts';
import { pipelineSettings } from './pipeline-settings.ts';

/** The settings of the publisher. */
export const publisherSettings = pipelineSettings.extend({
  PUBLISH_CONCURRENCY: wholeNumber(1, 1000)
    .default(8)
    .describe('Collections that one publisher publishes at the same time'),
  PUBLISH_BLOCK: wholeNumber(1, 5000).default(500).describe('Changes in a block of the log'),
  PUBLISH_BLOCK_BYTES: wholeNumber(1000, 12_582_912)
    .default(4_194_304)
    .describe(
      'Bytes of the changes in a block of the log, which is one document of MongoDB; one larger change ' +
        'is a block of its own',
    ),
  PUBLISH_RETENTION: wholeNumber(1, 1_000_000_000)
    .default(100_000)
    .describe('Changes of a collection that stay readable'),
  PUBLISH_RECONCILE_MS: wholeNumber(10, 3_600_000)
    .default(1000)
    .describe('Milliseconds between two looks for what is pending'),
  PUBLISH_RELAY_MS: wholeNumber(10, 3_600_000)
    .default(5000)
    .describe(
      'Milliseconds between two looks for what was published and not followed, and for transactions of ' +
        'killed processes',
    ),
  PUBLISH_PURGE_MS: wholeNumber(10, 3_600_000)
    .default(60_000)
    .describe(
      'Milliseconds between two purges of the feeds in which something has to go; a tombstone is removed ' +
        'one purge after the feed has left it out',
    ),
  PUBLISH_PURGE_ITEMS: wholeNumber(1, 100_000)
    .default(1000)
    .describe('Tombstones of a collection that one step of a purge removes'),
  BLOB_GRACE_SECONDS: wholeNumber(0, 315_360_000)
    .default(86_400)
    .describe('Seconds that a file stays after nothing refers to it any more'),
  BLOB_PURGE_MS: wholeNumber(10, 86_400_000)
    .default(600_000)
    .describe('Milliseconds between two looks for files that nothing refers to'),
  STREAM_PARTITIONS: wholeNumber(1, 1024)
    .default(1)
    .describe('Redis Streams that the collections are spread over'),
  STREAM_LENGTH: wholeNumber(1, 1_000_000_000)
    .default(100_000)
    .describe('About how many events a stream keeps'),
  STREAM_REPLICAS: wholeNumber(0, 100)
    .default(0)
    .describe('Replicas of Redis that must have an event before it counts as relayed'),
});
export type PublisherConfiguration = z.output<typeof publisherSettings>;
