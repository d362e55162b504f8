import { feedsyncDialect, readItem } from '#feedsync';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { FeedScanner, fieldsOfPayload } from '#xml';
import type { FeedSyncContent } from '#feedsync';
import { collectionKey } from '#core';
import { run } from '../../apps/cli/src/run.ts';
import { memoryIo } from '../cli/memory-io.ts';
import { PipelineUnderTest } from '../medium/pipeline/pipeline-under-test.ts';
import { Dice } from '../simulation/dice.ts';
import { feedOf, mostEndpoints, outcomeOf } from './feeds.ts';
import type { Outcome } from './feeds.ts';
import { hear, randomWorld } from './world.ts';
import type { World } from './world.ts';

/** Other worlds by the environment: `DIFFERENTIAL_SEED=7 DIFFERENTIAL_WORLDS=5000`. */
const count = Number(process.env['DIFFERENTIAL_WORLDS'] ?? 1000);
const dice = new Dice(Number(process.env['DIFFERENTIAL_SEED'] ?? 1));
const worlds: readonly World[] = Array.from({ length: count }, (_, index) =>
  randomWorld(`world-${index}`, dice),
);
const endpoints = Array.from({ length: mostEndpoints }, (_, endpoint) => endpoint);

/** What the literal transcription makes of every world when its endpoints are heard in order. */
function expected(): Record<string, Outcome> {
  return Object.fromEntries(
    worlds.flatMap((world) => {
      const merged = world.reduce((local, state) => hear(local, state), undefined);
      return merged === undefined ? [] : [[merged.sync.id, outcomeOf(merged, (title) => title)]];
    }),
  );
}

describe(`${count} random worlds of 2 to 6 endpoints`, () => {
  test('have what they should: conflicts, tombstones, noconflicts, histories without by or when', () => {
    const outcomes = Object.values(expected());
    expect(outcomes).toHaveLength(count);
    const entries = outcomes.flatMap(({ history, conflicts }) =>
      [history, ...conflicts.map((conflict) => conflict.history)].flat(),
    );
    for (const some of [
      outcomes.filter(({ conflicts }) => conflicts.length > 1),
      outcomes.filter(({ deleted }) => deleted),
      outcomes.filter(({ noconflicts }) => noconflicts),
      entries.filter(({ by }) => by === undefined),
      entries.filter(({ when }) => when === undefined),
    ])
      expect(some.length).toBeGreaterThan(count / 50);
  });

  test(
    'come to the same winners, histories and conflicts through `feedmesh merge` as through the literal ' +
      'transcription',
    async () => {
      const folder = await mkdtemp(join(tmpdir(), 'feedmesh-worlds-'));
      try {
        const files = await Promise.all(
          endpoints.map(async (endpoint) => {
            const file = join(folder, `${endpoint}.xml`);
            await writeFile(file, feedOf(worlds, endpoint));
            return file;
          }),
        );
        const io = memoryIo();
        expect(await run(['merge', ...files], io)).toBe(0);
        const merged = new FeedScanner(feedsyncDialect).write(io.out()).map((fragment) => {
          const reading = readItem(fragment);
          if (reading.kind !== 'item') throw new Error(`not an item: ${fragment.xml}`);
          return [
            reading.item.sync.id,
            outcomeOf(reading.item, (payload) => fieldsOfPayload(payload).title),
          ] as const;
        });
        expect(Object.fromEntries(merged)).toEqual(expected());
      } finally {
        await rm(folder, { recursive: true });
      }
    },
  );

  test('and through the running services', async () => {
    const pipeline = await PipelineUnderTest.open();
    try {
      await pipeline.start('fetcher', 'merger', 'publisher');
      pipeline.feeds.serve('/worlds', feedOf(worlds, 0));
      await pipeline.subscribe('worlds');
      for (const endpoint of endpoints) {
        pipeline.feeds.serve('/worlds', feedOf(worlds, endpoint));
        await pipeline.fetch('worlds');
      }
      const stored = await pipeline.store.items.list(collectionKey('worlds'), { limit: count + 1 });
      const outcomes = stored.map(
        ({ id, content }) =>
          [id, outcomeOf(content as FeedSyncContent, (payload) => fieldsOfPayload(payload).title)] as const,
      );
      expect(Object.fromEntries(outcomes)).toEqual(expected());
      expect(await pipeline.store.deadLetters.list({ limit: 1 })).toEqual([]);
    } finally {
      await pipeline.close();
    }
  });
});
