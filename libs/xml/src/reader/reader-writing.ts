import type { FeedFormat } from '../payload.ts';
import { atomEntry, atomStart } from './reader-atom.ts';
import type { ReaderEntry, ReaderFeedDescription } from './reader-entry.ts';
import { rssItem, rssStart } from './reader-rss.ts';

const formats = {
  atom: { start: atomStart, entry: atomEntry, end: '</feed>\n' },
  rss: { start: rssStart, entry: rssItem, end: '</channel></rss>\n' },
} as const;

/**
 * Writes a feed for readers up to its first entry. Throws `FeedError` (rule `xml-character`) for text that
 * XML can't hold, `RangeError` for a date that is none.
 */
export function writeReaderFeedStart(description: ReaderFeedDescription): string {
  return `<?xml version="1.0" encoding="utf-8"?>\n${formats[description.format].start(description)}\n`;
}

/** Writes an entry, to stand in a feed that `writeReaderFeedStart` began. Throws as that does. */
export function writeReaderEntry(format: FeedFormat, entry: ReaderEntry): string {
  return `${formats[format].entry(entry)}\n`;
}

/** The rest of a feed for readers after its last entry. */
export function writeReaderFeedEnd(format: FeedFormat): string {
  return formats[format].end;
}
