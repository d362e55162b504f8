import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { finish } from '#core';
import { FeedScanner, FormatExamination, plainDialect } from '#xml';
import { readReaderItem, writeReaderEntry, writeReaderFeedEnd, writeReaderFeedStart } from '#xml';
import type { Payload } from '#xml';
import { atomFaults } from '../../readers/atom-faults.ts';
import { rssFaults } from '../../readers/rss-faults.ts';
import { runs } from '../feedsync/runs.ts';
import { randomEntry, randomRssItem } from './mapping-model.ts';

const faultsOf = { atom: atomFaults, rss: rssFaults } as const;
const address = 'http://here.example/feeds/c/reader';
const title = fc.constantFrom('T', 'A & B <c>', '&amp;', '</title>');

/** A feed for readers with these items in it. */
function feedOf(format: 'atom' | 'rss', payloads: readonly Payload[], name: string): string {
  const description = {
    format,
    title: name,
    author: name,
    description: name,
    id: 'urn:uuid:00000000-0000-5000-8000-000000000000',
    selfUrl: `${address}.${format}`,
    siteUrl: 'http://here.example/',
    updated: '2026-01-01T00:00:00Z',
  };
  const entries = payloads.map((payload, number) =>
    writeReaderEntry(format, {
      ...finish(readReaderItem(payload, address)),
      id: `urn:uuid:00000000-0000-5000-8000-00000000000${number}`,
      published: '2026-01-01T00:00:00Z',
      updated: `2026-01-01T00:00:00.00000${number}Z`,
    }),
  );
  return writeReaderFeedStart(description) + entries.join('') + writeReaderFeedEnd(format);
}

function violationsOf(feed: string): readonly unknown[] {
  const scanner = new FeedScanner(plainDialect);
  const examination = new FormatExamination();
  const ofItems = scanner.write(feed).flatMap((item) => examination.item(item, false));
  return [...ofItems, ...examination.head(scanner.end(), scanner.places)];
}

describe.each(['atom', 'rss'] as const)('a feed for readers in %s', (format) => {
  test('is valid whatever its items are', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(randomEntry, randomRssItem), { maxLength: 4 }),
        title,
        (payloads, name) => {
          const feed = feedOf(format, payloads, name);
          expect(faultsOf[format](feed, `${address}.${format}`)).toEqual([]);
          expect(violationsOf(feed)).toEqual([]);
        },
      ),
      runs(800),
    );
  });
});
