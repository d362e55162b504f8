import { readItem } from '#xml';
import { DocumentReader } from './document-reader.ts';

/** The feeds of the cases of FeedSync. */
export const feeds = new DocumentReader('feedsync', (fragment) => readItem(fragment));
