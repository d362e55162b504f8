import { parseFeed } from 'feedsmith';
import RssParser from 'rss-parser';
import { SaxesParser } from 'saxes';
import { feedsyncDialect, readItem } from '#feedsync';
import { FeedScanner } from '#xml';
import type { Fragment } from '#xml';
import { sampleFeed } from '../feedmesh/sample-feed.ts';
import { scaled } from '../row.ts';
import type { Contender, Row } from '../row.ts';

/** Items of the feed. */
const size = 5000;

/** A feed's text is cut into its items, as the fetcher does. */
export const scanning: Row = {
  name: 'scan',
  operation: 'finding an item of 0.9 KB in its feed',
  goals: [],
  open: async (_world, scale) => {
    const items = scaled(size, scale);
    const text = [...sampleFeed(items, 'scan')].join('');
    return {
      ours: contender('feedmesh', items, () => scan(text)),
      references: [
        contender('saxes alone', items, () => {
          new SaxesParser({ xmlns: true }).write(text).close();
        }),
      ],
    };
  },
};

/** A feed's text is cut into its items, and each is read and checked, as fetcher and merger do. */
export const reading: Row = {
  name: 'read',
  operation: 'reading an item of 0.9 KB out of its feed',
  goals: [],
  open: async (_world, scale) => {
    const items = scaled(size, scale);
    const text = [...sampleFeed(items, 'read')].join('');
    return {
      ours: contender('feedmesh', items, () => {
        for (const fragment of scan(text))
          if (readItem(fragment).kind !== 'item') throw new Error(`an item was rejected: ${fragment.xml}`);
      }),
      references: [
        contender('feedsmith', items, () => parseFeed(text)),
        contender('rss-parser', items, () => new RssParser().parseString(text)),
      ],
    };
  },
};

function scan(text: string): readonly Fragment[] {
  const scanner = new FeedScanner(feedsyncDialect, {});
  const fragments = scanner.write(text);
  scanner.end();
  return fragments;
}

function contender(name: string, items: number, work: () => unknown): Contender {
  return {
    name,
    run: async () => {
      const startedAt = performance.now();
      await work();
      return { operations: items, seconds: (performance.now() - startedAt) / 1000 };
    },
  };
}
