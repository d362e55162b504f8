import 'reflect-metadata';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { feedDifferences } from './feed-differences.ts';
import { TakenFeeds } from './taken-feeds.ts';
import { formats, wildDocuments } from './wild-document.ts';

const documents = wildDocuments();
let feeds: TakenFeeds;

beforeAll(async () => {
  feeds = await TakenFeeds.open(documents);
});

afterAll(() => feeds.close());

describe.each(formats)(
  'a collection of %s shows what it says in JSON, for readers and as events:',
  (format) => {
    const taking = documents.filter((document) => document.formats.includes(format));
    test.each(taking.map((document) => [document.file, document] as const))('%s', async (file, document) => {
      const taken = await feeds.taken(file, format);
      expect(feedDifferences(document.expected(feeds.origin), taken, format)).toEqual([]);
    });
  },
);
