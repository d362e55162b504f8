import 'reflect-metadata';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { feedDifferences } from './feed-differences.ts';
import { isListed, listedReadings } from './listed-readings.ts';
import { compareWithReader } from './other-readers.ts';
import { openReader, readerNames } from './readers/index.ts';
import { TakenFeeds } from './taken-feeds.ts';
import { formats, wildDocuments } from './wild-document.ts';

const documents = wildDocuments();
let feeds: TakenFeeds;

beforeAll(async () => {
  feeds = await TakenFeeds.open(documents);
});

afterAll(() => feeds.close());

test('the corpus has at least 300 documents', () => {
  expect(documents.length).toBeGreaterThanOrEqual(300);
});

describe.each(formats)('a collection of %s shows the values of', (format) => {
  const taking = documents.filter((document) => document.formats.includes(format));
  test.each(taking.map((document) => [document.file, document] as const))('%s', async (file, document) => {
    const taken = await feeds.taken(file, format);
    expect(feedDifferences(document.expected(feeds.origin), taken, format)).toEqual([]);
  });
});

describe('a program reads in our feeds for readers what it reads in the documents:', () => {
  test.each(readerNames)('%s', async (reader) => {
    const read = await openReader(reader);
    if (read === undefined) return;
    const { compared, differing } = await compareWithReader(read, documents, feeds);
    const { misread, chosen } = listedReadings(reader);
    const others = differing.filter((found) => !isListed(found, misread));
    expect(others.filter((found) => !isListed(found, chosen))).toEqual([]);
    expect(compared).toBeGreaterThan(3000);
    expect(others.length / compared).toBeLessThan(0.01);
    expect(
      [...misread, ...chosen].filter((name) => !differing.some((found) => isListed(found, [name]))),
    ).toEqual([]);
  });
});
