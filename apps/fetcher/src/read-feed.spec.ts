import { expect, test } from '@jest/globals';
import { defaultScanLimits, FeedError } from '#feed-xml';
import { readFeed } from './read-feed.ts';

async function* body(): AsyncGenerator<Uint8Array> {
  yield Buffer.from('<rss version="2.0"><channel><title>To do</title><item><title>milk</title></item>');
  yield Buffer.from('<item><title>bread</title></item></channel></rss>');
}

test('a feed within the limits hands on its items in order', async () => {
  const taken: string[] = [];
  const { head } = await readFeed({ body: body() }, { ...defaultScanLimits, items: 2 }, async (fragments) => { taken.push(...fragments.map(({ xml }) => xml)); });
  expect(taken).toEqual([expect.stringContaining('milk'), expect.stringContaining('bread')]);
  expect(head).toMatchObject({ format: 'rss' });
});

test('a feed beyond a limit is refused with its name, after the items before it', async () => {
  let taken = 0;
  const reading = readFeed({ body: body() }, { ...defaultScanLimits, items: 1 }, async (fragments) => { taken += fragments.length; });
  await expect(reading).rejects.toThrow(FeedError);
  await expect(reading).rejects.toThrow('more than 1 items (limit "items")');
  expect(taken).toBe(1);
});
