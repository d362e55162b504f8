import { feedsyncDialect, readItem } from '#feedsync';
import { DocumentReader } from './document-reader.ts';

/** The feeds of the cases of FeedSync. */
export const feeds = new DocumentReader(feedsyncDialect, (fragment) => readItem(fragment));
