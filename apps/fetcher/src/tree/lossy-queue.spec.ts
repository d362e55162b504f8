import { describe, expect, test } from '@jest/globals';
import { collectionKey } from '#core';
import { createMirror } from './__fixtures__/mirror.ts';
import { feed, file, nested } from './__fixtures__/feed.ts';
import type { ItemText } from './__fixtures__/feed.ts';

describe('a tree whose jobs are lost, repeated and reordered, while its fetcher dies again and again', () => {
  const big: Record<string, string> = {
    'root.xml': feed(
      'Root',
      ...[0, 1, 2, 3].map((n): ItemText => [`s${n}`, n + 1, nested(`section${n}.xml`), file('never.jpg')]),
      ['f', 2, file('0.bin'), file('shared.bin')],
    ),
  };
  for (const n of [0, 1, 2, 3]) {
    big[`section${n}.xml`] = feed(
      `Section ${n}`,
      ['n', n + 1, nested(`leaf${n}.xml`)],
      ['f', n + 1, file(`${n}.bin`), file('shared.bin')],
    );
    big[`leaf${n}.xml`] = feed(
      `Leaf ${n}`,
      ...[0, 1, 2].map((i): ItemText => [`i${i}`, n + 1, file(`${n}-${i}.bin`)]),
    );
    for (const name of [`${n}.bin`, `${n}-0.bin`, `${n}-1.bin`, `${n}-2.bin`, 'shared.bin']) big[name] = name;
  }

  /** Fetches until nothing is left to do; returns the cache. */
  async function finalized(mirror: ReturnType<typeof createMirror>) {
    await mirror.subscribe();
    mirror.serve(big);
    for (let fetches = 0; ; fetches += 1) {
      if (fetches > 500) throw new Error('It never ends.');
      const { mirrored, manifest } = await mirror.fetch().catch((error: unknown) => {
        if (!(error instanceof FetcherDeath)) throw error;
        return { mirrored: [], manifest: undefined };
      });
      mirror.pass(100_000);
      if (manifest?.seal?.batches === 0 && mirrored.length === 0) break;
    }
    const documents = [];
    for await (const {
      url,
      isFeed,
      lastBuildDate,
      copy,
      merged,
      failure,
      dropped,
    } of mirror.store.documents.all(collectionKey('paper')))
      documents.push({ url, isFeed, lastBuildDate, copy, merged, failure, dropped });
    return documents;
  }

  let deaths = 0;

  test.each(Array.from({ length: 15 }, (_, index) => [index + 1]))(
    'ends with the same cache as without faults (seed %i)',
    async (seed) => {
      const fraction = dice(seed);
      const mirror = createMirror({ deliveries: { fraction, lose: 0.15, repeat: 0.15 } });
      mirror.onPause(async () => {
        if (fraction() >= 0.3) return;
        deaths += 1;
        throw new FetcherDeath();
      });
      const documents = await finalized(mirror);
      expect(documents).toHaveLength(26);
      expect(
        documents.every(
          ({ copy, failure, dropped }) =>
            copy !== undefined && failure === undefined && dropped === undefined,
        ),
      ).toBe(true);
      expect(documents).toEqual(await finalized(createMirror()));
    },
  );

  test('was tried with fetchers that died', () => {
    expect(deaths).toBeGreaterThan(15);
  });
});

class FetcherDeath extends Error {}

/** Numbers from 0 to 1 that are drawn anew from each seed. */
function dice(seed: number): () => number {
  let state = seed * 2_654_435_761;
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 374_761_393) | 0;
    return ((state ^ (state >>> 13)) >>> 0) / 2 ** 32;
  };
}
