import { hash } from 'node:crypto';
import type { MergeJob } from '#contracts';
import { FeedScanner } from '#xml';
import type { Dialect } from '#xml';

/** The items of a feed as a fetcher hands them to mergers. */
export function fragmentsOf(feed: string, dialect: Dialect): MergeJob['fragments'] {
  return new FeedScanner(dialect)
    .write(feed)
    .map((fragment) => ({ ...fragment, digest: hash('sha256', fragment.xml, 'base64url') }));
}
