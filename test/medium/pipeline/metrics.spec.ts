import { readFile } from 'node:fs/promises';
import { expect, test } from '@jest/globals';
import { collectionKey } from '#core';
import { entry, feed } from './feed.ts';
import type { ServiceName } from './pipeline-under-test.ts';
import { usePipeline } from './use-pipeline.ts';
import { until } from '../../support/until.ts';

const workers = ['fetcher', 'merger', 'publisher'] as const;
const pipeline = usePipeline({}, ...workers);

/** What a service tells Prometheus. */
async function read(name: ServiceName): Promise<string> {
  const response = await fetch(`${await pipeline.healthUrl(name)}/metrics`);
  expect(response.headers.get('content-type')).toContain('text/plain; version=0.0.4');
  return response.text();
}

/** The value of each series; 0 if there is none. */
async function valuesOf(series: Readonly<Record<string, string>>): Promise<Record<string, number>> {
  const lines = (await read('publisher')).split('\n');
  return Object.fromEntries(
    Object.entries(series).map(([name, one]) => {
      const line = lines.find((text) => text.startsWith(`${one} `));
      return [name, Number(line?.slice(one.length + 1) ?? 0)];
    }),
  );
}

test('a service says what became of fetches, items and changes, and how long it took', async () => {
  // The services of one process share what they measure, with those of other tests in it.
  const series = {
    fetched: 'feedmesh_fetches_total{outcome="fetched",rule=""}',
    failed: 'feedmesh_fetches_total{outcome="failed",rule="http-status"}',
    items: 'feedmesh_items_fetched_total',
    written: 'feedmesh_items_written_total',
    rejected: 'feedmesh_items_rejected_total{rule="xml-well-formed"}',
    created: 'feedmesh_changes_total{type="feedmesh.item.created.v1"}',
    delays: 'feedmesh_event_delay_seconds_count',
    scheduled: 'feedmesh_schedule_delay_seconds_count',
    stored: 'feedmesh_store_seconds_count{port="items"}',
  };
  const before = await valuesOf(series);
  pipeline.feeds.serve('/news', feed([entry('one', ['1 A']), entry('two', ['1 A'])]));
  await pipeline.subscribe('news');
  await pipeline.subscribe('nothing');
  await pipeline.fetch('news');
  await pipeline.published(collectionKey('news'));
  const values = await until(
    async () => {
      const now = await valuesOf(series);
      return Object.fromEntries(
        Object.entries(now).map(([name, value]) => [name, value - (before[name] ?? 0)]),
      );
    },
    ({ failed = 0, delays = 0 }) => failed > 0 && delays >= 2,
  );
  expect(values).toMatchObject({ fetched: 1, items: 2, written: 2, rejected: 0, created: 2, delays: 2 });
  expect(values['scheduled']).toBeGreaterThanOrEqual(2);
  expect(values['stored']).toBeGreaterThan(0);
});

test('every series of ours is in the documentation, and no label names what has no bound', async () => {
  const documentation = await readFile('docs/operations.md', 'utf8');
  for (const name of workers) {
    const text = await read(name);
    const names = [...text.matchAll(/^# TYPE (\w+)/gm)].map(([, series = '']) => series);
    expect(names).toContain('nodejs_eventloop_lag_p99_seconds');
    const ours = names.filter((series) => series.startsWith('feedmesh_'));
    expect(ours.filter((series) => !documentation.includes(`\`${series}\``))).toEqual([]);
    expect(text).not.toContain('"news"');
    expect(text).not.toContain('127.0.0.1');
  }
});
