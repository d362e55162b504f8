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

describe('our reader feeds give other programs the same values as the original documents', () => {
  const most = 0.01;
  const ofPublishers: { readonly compared: number; readonly differing: number }[] = [];

  test.each(readerNames)('%s, except where it departs from the specifications', async (reader) => {
    const read = await openReader(reader);
    if (read === undefined) return;
    const result = await compareWithReader(read, documents, feeds);
    ofPublishers.push({
      compared: result.comparedOfPublishers,
      differing: result.differing.filter(({ isPublishers }) => isPublishers).length,
    });
    const { misread, chosen } = listedReadings(reader);
    const others = result.differing.filter((found) => !isListed(found, misread));
    expect(others.filter((found) => !isListed(found, chosen))).toEqual([]);
    expect(result.compared).toBeGreaterThan(3000);
    expect(others.length / result.compared).toBeLessThan(most);
    expect(
      [...misread, ...chosen].filter((name) => !result.differing.some((found) => isListed(found, [name]))),
    ).toEqual([]);
  });

  test('all programs together, without exceptions, for the documents of publishers', () => {
    if (ofPublishers.length < readerNames.length) return;
    const [compared, differing] = [sum(ofPublishers, 'compared'), sum(ofPublishers, 'differing')];
    expect(compared).toBeGreaterThan(3000);
    expect(differing / compared).toBeLessThan(most);
  });
});

function sum<Key extends string>(rows: readonly Readonly<Record<Key, number>>[], key: Key): number {
  return rows.reduce((total, row) => total + row[key], 0);
}
