import { feedsyncDialect } from '#feedsync';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createFeedDecoder, FeedScanner } from '#xml';
import type { FeedHead, Fragment } from '#xml';
import { randomFeed } from './feed-model.ts';

function scan(pieces: Iterable<Uint8Array>): { fragments: Fragment[]; head: FeedHead } {
  const decoder = createFeedDecoder();
  const scanner = new FeedScanner(feedsyncDialect);
  const fragments: Fragment[] = [];
  for (const piece of pieces) fragments.push(...scanner.write(decoder.write(piece)));
  fragments.push(...scanner.write(decoder.end()));
  return { fragments, head: scanner.end() };
}

function* cut(bytes: Uint8Array, sizes: Iterable<number>): Generator<Uint8Array> {
  let start = 0;
  for (const size of sizes) {
    if (start >= bytes.length) return;
    yield bytes.subarray(start, start + size);
    start += size;
  }
  yield bytes.subarray(start);
}

/** The same sizes for the same seed: the linear congruential generator of POSIX. */
function* sizes(seed: number, largest: number): Generator<number> {
  for (let state = seed; ;) {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    yield 1 + (state % largest);
  }
}

test('a feed in pieces of any size gives the same as in one piece', () => {
  fc.assert(
    fc.property(randomFeed, fc.array(fc.integer({ min: 1, max: 20 })), fc.nat(), ({ xml }, first, seed) => {
      const bytes = new TextEncoder().encode(xml);
      expect(scan(cut(bytes, [...first, ...Array.from({ length: 3 }, () => 1 + (seed % 50))]))).toEqual(
        scan([bytes]),
      );
    }),
    { numRuns: 100 },
  );
});

test('a feed of 10 MB in random pieces gives the same as in one piece', () => {
  const entries = Array.from(
    { length: 10_000 },
    (_, n) =>
      `\r\n <entry${n % 3 === 0 ? '\r\n' : ' '}xml:lang="de"><title>Größe ${n} 😀</title>` +
      `<content type="html">${'漢字 &lt;p&gt; '.repeat(50)}</content>` +
      `<sx:sync id="item_${n}" updates="1"><sx:history sequence="1" by="A"/></sx:sync></entry>`,
  );
  const bytes = new TextEncoder().encode(
    '<?xml version="1.0"?>\r\n<feed xmlns="http://www.w3.org/2005/Atom" ' +
      `xmlns:sx="http://feedsync.org/2007/feedsync">${entries.join('')}</feed>`,
  );
  expect(bytes.length).toBeGreaterThan(10_000_000);
  const whole = scan([bytes]);
  expect(whole.fragments).toHaveLength(10_000);
  for (const largest of [300, 20_000, 200_000])
    expect(scan(cut(bytes, sizes(largest, largest)))).toEqual(whole);
});
