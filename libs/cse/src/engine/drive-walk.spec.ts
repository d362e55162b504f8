import { expect, test } from '@jest/globals';
import { finish } from '#core';
import type { Download } from './download.ts';
import { driveWalk } from './drive-walk.ts';
import { earliestDate } from './feed.ts';
import type { Feed } from './feed.ts';
import { defaultTreeLimits } from './tree-limits.ts';
import { TreeWalk } from './tree-walk.ts';

const root = 'http://source.example/root';
const file = 'http://source.example/file';
const feed: Feed = {
  lastBuildDate: earliestDate,
  items: [
    {
      id: '1',
      lastBuildDate: earliestDate,
      hidden: false,
      links: [{ url: file, nestedFeed: false, onDemand: true }],
    },
  ],
};

/** Downloads one document after the other, at most `most`; every second look finds that none has ended. */
function driven(walk: TreeWalk, most = Infinity) {
  const waiting: Download[] = [];
  const arrived: string[] = [];
  const reported: number[] = [];
  let looks = 0;
  const work = driveWalk<Download>(
    walk,
    {
      begin: (downloads) => void waiting.push(...downloads),
      ended: async () => {
        if (arrived.length >= most) return undefined;
        looks += 1;
        return looks % 2 === 1 ? [] : waiting.splice(0, 1);
      },
      take: ({ url, isFeed }) => {
        arrived.push(url);
        finish(walk.arrived(url, isFeed ? { kind: 'feed', feed } : { kind: 'file', bytes: 1 }));
      },
    },
    ({ done }) => void reported.push(done),
  );
  return work.then(() => ({ arrived, reported }));
}

test('downloads everything that the walk requests, and reports its progress', async () => {
  const walk = new TreeWalk(root, new Map(), defaultTreeLimits, () => true);
  const { arrived, reported } = await driven(walk);
  expect(arrived).toEqual([root, file]);
  expect(walk.isDone).toBe(true);
  expect(reported.at(-1)).toBe(2);
});

test('it ends if no more is downloaded', async () => {
  const walk = new TreeWalk(root, new Map(), defaultTreeLimits, () => true);
  expect((await driven(walk, 1)).arrived).toEqual([root]);
  expect(walk.isDone).toBe(false);
});

test('links on demand are followed only if somebody has requested them', async () => {
  const walk = new TreeWalk(root, new Map(), defaultTreeLimits, (url) => url !== file);
  expect((await driven(walk)).arrived).toEqual([root]);
});

test('links on demand of cached feeds are followed if somebody has requested them', async () => {
  const cached = new Map([[root, { lastBuildDate: earliestDate, feed }]]);
  const walk = new TreeWalk(root, cached, defaultTreeLimits, () => true);
  finish(walk.next());
  finish(walk.arrived(root, { kind: 'unchanged' }));
  expect(finish(walk.next()).map(({ url }) => url)).toEqual([file]);
});
