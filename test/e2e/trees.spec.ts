import 'reflect-metadata';
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import mongoose from 'mongoose';
import { doctor } from '../../apps/cli/src/commands/doctor.ts';
import { closeServers } from '../cli/local-server.ts';
import { memoryIo } from '../cli/memory-io.ts';
import { ownRedisDatabase } from '../support/redis-database.ts';
import { request } from '../support/request.ts';
import { TreeSite } from '../support/tree-site/tree-site.ts';
import type { TreeState } from '../support/tree-site/tree-state.ts';
import { mirror, startTree, storyLimit, treeSize } from './trees-under-test.ts';
import type { TreeInstance } from './trees-under-test.ts';
import { Instances } from '../support/instances.ts';

/** The tree that the stories are about; they build on each other. */
const size = treeSize();

const instances = new Instances();
beforeAll(async () => {
  await instances.open();
});
afterAll(async () => {
  await instances.end();
  await closeServers();
});

describe(`a tree of 3 levels, ${size.feeds} feeds, ${size.items} items and ${size.files} files`, () => {
  let site: TreeSite;
  let first: TreeInstance;
  let second: TreeInstance;

  beforeAll(async () => {
    site = await TreeSite.open(size);
    [first, second] = (await Promise.all(
      ['first', 'second'].map(async (name) => startTree(instances, name, await ownRedisDatabase())),
    )) as [TreeInstance, TreeInstance];
  });

  test(
    'is mirrored completely, and each document is requested once',
    async () => {
      await first.fetchedBy(() => first.follow(site.url));
      await first.holds(site.state());
      expect(site.counts).toEqual({ feeds: size.feeds, files: size.files });
      expect(await first.withoutOrphans()).toBe(2 * size.feeds + filesIn(site.state()).size);
    },
    storyLimit,
  );

  test(
    'is mirrored again from the mirror, with equal feeds and files',
    async () => {
      await second.fetchedBy(() => second.follow(first.url));
      await second.holds(site.state());
      expect(await second.withoutOrphans()).toBe(2 * size.feeds + filesIn(site.state()).size);
    },
    storyLimit,
  );

  test(
    'costs after 10 changed items the feeds on their paths and their files, and the mirror of the mirror ' +
      'follows',
    async () => {
      // Two of them in one feed, one in the root, and some in feeds on the paths of others.
      const changed = [0, 1, 13, 15, 15 + size.feeds, 16, 33, 34, 99, 144].filter(
        (item) => item < site.content.plan.leaves,
      );
      site.change(...changed);
      site.resetCounts();
      await first.refresh();
      await first.holds(site.state());
      expect([...site.requests].toSorted(byPath)).toEqual(
        site.content.pathsTo(changed).map((path) => [path, 1]),
      );
      await second.refresh();
      await second.holds(site.state());
    },
    storyLimit,
  );

  test(
    'loses with deleted items the files that nothing else refers to; those that are shared stay',
    async () => {
      const before = filesIn(site.state());
      // The first file of item 2 is also one of item 3.
      site.delete(2, 5, 6, 50);
      site.resetCounts();
      await first.refresh();
      await first.holds(site.state());
      const after = filesIn(site.state());
      expect(after.size).toBeLessThan(before.size);
      expect(await first.withoutOrphans()).toBe(2 * size.feeds + after.size);
      expect(site.counts.files).toBe(0);
      for (const digest of [...before].filter((digest) => !after.has(digest)))
        expect([digest, await statusOf(first, digest)]).toEqual([digest, 404]);
      await second.refresh();
      await second.holds(site.state());
    },
    storyLimit,
  );

  test(
    'has what is on demand once someone has requested it, and requests nothing else then',
    async () => {
      const item = 7;
      const path = site.content.onDemandPath(item);
      const id = await first.itemId(`item-${item}`);
      const address = `/v1/collections/${mirror}/items/${encodeURIComponent(id)}`;
      const link = site.content.plan.filesOf(item).length;
      const stateOf = async (): Promise<unknown> =>
        ((await first.send('GET', address)) as { links: readonly { state: string }[] }).links[link]?.state;
      expect(await stateOf()).toBe('on-demand');
      site.resetCounts();
      await first.fetchedBy(() => first.send('POST', `${address}/links/${link}/fetch`));
      expect(await stateOf()).toBe('cached');
      expect([...site.requests].toSorted(byPath)).toEqual([
        [path, 1],
        [site.content.feedPath(0), 1],
      ]);
    },
    storyLimit,
  );

  test(
    'gets back a file whose bytes were damaged in the store, once doctor has found that out',
    async () => {
      const path = site.content.filePath(1);
      const body = await (await request(site.urlOf(path))).text();
      const digest = createHash('sha256').update(body).digest('hex');
      const address = `${first.instance.url}/files/${mirror}/${digest}`;
      await damage(first, body);
      expect(await (await request(address)).text()).not.toBe(body);
      site.resetCounts();
      await first.fetchedBy(async () => {
        const io = memoryIo({ environment: first.environment as Record<string, string> });
        expect([await doctor({ repair: true, output: 'text' }, io), io.out()]).toEqual([
          0,
          expect.stringContaining(`the copy of ${site.urlOf(path)}`),
        ]);
      });
      expect(await (await request(address)).text()).toBe(body);
      expect([...site.requests].toSorted(byPath)).toEqual([
        [path, 1],
        [site.content.feedPath(0), 1],
      ]);
    },
    storyLimit,
  );
});

/** Changes the bytes of a stored file of this text, whose length stays. */
async function damage({ environment }: TreeInstance, body: string): Promise<void> {
  const connection = await mongoose.createConnection(environment['MONGODB_URI'] ?? '').asPromise();
  const { modifiedCount } = await connection
    .collection('contents.chunks')
    .updateMany({ data: Buffer.from(body) }, { $set: { data: Buffer.from(body.toUpperCase()) } });
  await connection.close();
  expect(modifiedCount).toBe(1);
}

/** The digests of all files of a tree. */
function filesIn(state: TreeState): ReadonlySet<string> {
  return new Set(
    Object.values(state).flatMap((items) =>
      items.flatMap(({ links }) =>
        links.flatMap((link) => (typeof link === 'object' && 'file' in link ? [link.file] : [])),
      ),
    ),
  );
}

async function statusOf(instance: TreeInstance, digest: string): Promise<number> {
  return (await request(`${instance.instance.url}/files/${mirror}/${digest}`, { method: 'HEAD' })).status;
}

function byPath([a]: readonly [string, number], [b]: readonly [string, number]): number {
  return a < b ? -1 : 1;
}
