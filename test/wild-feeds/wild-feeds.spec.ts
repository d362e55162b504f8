import 'reflect-metadata';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { feedDifferences } from './feed-differences.ts';
import { compareWithReader } from './other-readers.ts';
import { readers } from './readers/index.ts';
import type { ReaderName } from './readers/index.ts';
import { TakenFeeds } from './taken-feeds.ts';
import { formats, wildDocuments } from './wild-document.ts';

const documents = wildDocuments();
let feeds: TakenFeeds;

beforeAll(async () => {
  feeds = await TakenFeeds.open(documents);
});

afterAll(() => feeds.close());

describe.each(formats)('a collection of %s shows the values of', (format) => {
  const taking = documents.filter((document) => document.formats.includes(format));
  test.each(taking.map((document) => [document.file, document] as const))('%s', async (file, document) => {
    const taken = await feeds.taken(file, format);
    expect(feedDifferences(document.expected(feeds.origin), taken, format)).toEqual([]);
  });
});

interface ListedReading {
  readonly reader: ReaderName;
  readonly documents: readonly string[];
  readonly field: string;
  readonly reason: string;
}

const { listed } = JSON.parse(readFileSync(new URL('other-readers.json', import.meta.url), 'utf8')) as {
  listed: readonly ListedReading[];
};

describe('what other programs read in our feeds for readers is what they read in the documents:', () => {
  test.each(Object.keys(readers) as ReaderName[])('%s', async (reader) => {
    const { compared, differing } = await compareWithReader(reader, documents, feeds);
    const isListed = ({ file, field }: { file: string; field: string }): boolean =>
      listed.some(
        (entry) => entry.reader === reader && entry.field === field && entry.documents.includes(file),
      );
    expect(compared).toBeGreaterThan(3000);
    expect(differing.filter((reading) => !isListed(reading))).toEqual([]);
    expect(differing.length / compared).toBeLessThan(0.01);
  });
});
