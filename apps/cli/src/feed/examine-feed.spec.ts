import { expect, test } from '@jest/globals';
import { examineFeed } from './examine-feed.ts';

test('of an item 1000 violations are listed, of a feed about 100,000, and others are counted', async () => {
  const broken = '<sx:history sequence="0"/>'.repeat(550);
  const items = Array.from(
    { length: 105 },
    (_, number) => `<entry><sx:sync id="i${number}" updates="1">${broken}</sx:sync></entry>`,
  );
  const feed =
    '<feed xmlns="http://www.w3.org/2005/Atom" xmlns:sx="http://feedsync.org/2007/feedsync">\n' +
    `${items.join('\n')}</feed>`;
  async function* chunks(): AsyncGenerator<Uint8Array> {
    yield Buffer.from(feed);
  }
  const { violations, items: count } = await examineFeed({ chunks: chunks() }, () => {});
  expect(count).toBe(105);
  expect(violations.length).toBeGreaterThanOrEqual(100_000);
  expect(violations.length).toBeLessThan(102_000);
  const ofFirst = violations.filter(({ line }) => line === 2);
  expect(ofFirst.length).toBeLessThan(1010);
  const unlisted = violations.filter(({ rule }) => rule === 'limit-violations');
  expect(unlisted.find(({ line }) => line === 2)?.message).toMatch(/broken in \d+ more places here, which/);
  expect(unlisted.at(-1)?.message).toMatch(/broken in \d{4} more places of this feed, which/);
});
