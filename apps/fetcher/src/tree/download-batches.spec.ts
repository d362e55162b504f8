import { expect, test } from '@jest/globals';
import { batchDownloads } from './download-batches.ts';

const downloads = (host: string, count: number) =>
  Array.from({ length: count }, (_, index) => ({
    url: `http://${host}/${index}`,
    isFeed: false,
    depth: 1,
    lastBuildDate: '2026-01-01T00:00:00Z',
  }));
const sizes = (count: number): number[] =>
  batchDownloads(downloads('a.example', count), { batch: 8, parallelPerHost: 4 }).map(
    (batch) => batch.downloads.length,
  );

test.each([
  [0, []],
  [1, [1]],
  [4, [1, 1, 1, 1]],
  [6, [2, 2, 2]],
  [32, [8, 8, 8, 8]],
  [33, [8, 8, 8, 8, 1]],
])(
  '%i downloads of a host make batches that can be in progress at once where that is possible',
  (count, expected) => {
    expect(sizes(count)).toEqual(expected);
  },
);

test(
  'downloads of different hosts are never in one batch, also where only the port differs, and none is ' +
    'lost',
  () => {
    const all = [
      ...downloads('a.example', 3),
      ...downloads('b.example', 2),
      ...downloads('a.example:8080', 1),
    ];
    const batches = batchDownloads(all, { batch: 8, parallelPerHost: 1 });
    expect(batches.map((batch) => batch.downloads.map(({ url }) => new URL(url).host))).toEqual([
      ['a.example', 'a.example', 'a.example'],
      ['b.example', 'b.example'],
      ['a.example:8080'],
    ]);
    expect(batches.map(({ url }) => url)).toEqual([
      'http://a.example/0',
      'http://b.example/0',
      'http://a.example:8080/0',
    ]);
  },
);
