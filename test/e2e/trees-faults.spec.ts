import 'reflect-metadata';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ProcessRegister, provideDatabases } from '#databases';
import type { Databases } from '#databases';
import { closeServers } from '../cli/local-server.ts';
import { Site, siteFeed, siteItem } from '../cli/sync-site.ts';
import { isStress } from '../support/stress.ts';
import { until } from '../support/until.ts';
import { Dice } from '../simulation/dice.ts';
import { readMirror } from '../support/tree-site/read-mirror.ts';
import { TreeSite } from '../support/tree-site/tree-site.ts';
import type { TreeState } from '../support/tree-site/tree-state.ts';
import { storyLimit, startTree, syncLimit, treeSize } from './trees-under-test.ts';
import type { TreeInstance } from './trees-under-test.ts';
import { Instances } from '../support/instances.ts';

const size = treeSize();

/** `TREE_SEED` for other moments. */
const seed = Number(process.env['TREE_SEED'] || 1);

/** What is lost is found soon, and what has no end is soon too long. */
const impatient = {
  TREE_RESEND_MS: '5000',
  FETCH_LEASE_MS: '5000',
  FETCH_STALLED_MS: '5000',
  FETCH_RECONCILE_MS: '1000',
  JOB_LOCK_MS: '5000',
  JOB_STALLED_CHECK_MS: '1000',
  FETCH_BODY_BYTES: '1000000',
  FETCH_ALLOW_NETWORKS: '127.0.0.1/32',
} as const;

const instances = new Instances();
let databases: Databases;
/** The services of all stories, each of which has a collection of its own. */
let services: TreeInstance;

// A Redis of their own, which the stories kill.
beforeAll(async () => {
  await instances.open();
  const folder = join(instances.register.folder, 'redis-of-the-stories');
  mkdirSync(folder);
  const register = await ProcessRegister.open(folder, () => undefined);
  const { REDIS_URL: _given, ...environment } = process.env;
  databases = await provideDatabases({
    environment,
    register,
    limits: instances.limits,
    log: () => undefined,
    signal: new AbortController().signal,
  });
  instances.atEnd(() => databases.stop());
  services = await startTree(instances, 'faults', databases.redisUrl, impatient);
});

afterAll(async () => {
  await instances.end();
  await closeServers();
});

/** Kills one of these processes, once it runs. */
async function kill(name: string, processes: () => Readonly<Record<string, number>>): Promise<void> {
  await until(
    () => isKilled(processes()[name]),
    (killed) => killed,
  );
}

/** Kills a process; false if it does not run, or has just ended. */
function isKilled(pid: number | undefined): boolean {
  if (pid === undefined) return false;
  try {
    return process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
    throw error;
  }
}

/**
 * Random moments of a first synchronisation: after so many files were requested, and then after so many
 * changes were published.
 */
async function atMoments(
  dice: Dice,
  site: TreeSite,
  instance: TreeInstance,
  work: () => Promise<void>,
): Promise<void> {
  const among = (count: number, limit: number): number[] =>
    Array.from({ length: count }, () => dice.below(limit)).toSorted((a, b) => a - b);
  for (const files of among(isStress ? 4 : 2, size.files)) {
    await until(
      async () => site.counts.files,
      (asked) => asked >= files,
      syncLimit,
    );
    await work();
  }
  for (const changes of among(isStress ? 2 : 1, Math.floor(size.items / 2))) {
    await until(
      () => instance.published(),
      (published) => published >= changes,
      syncLimit,
    );
    await work();
  }
}

/** How many contents a mirror of this has: each feed and its parsed form, and each file once. */
function contentsOf(state: TreeState): number {
  const links = Object.values(state).flatMap((items) => items.flatMap(({ links }) => links));
  return (
    2 * Object.keys(state).length +
    new Set(links.flatMap((link) => (typeof link === 'object' && 'file' in link ? [link.file] : []))).size
  );
}

const readers = ['fetcher', 'merger'];

/**
 * What is killed at each moment, one of each group, by story: in the short form one story has all of it.
 */
const stories = isStress ? [[readers], [['redis']]] : [[readers, ['redis']]];

describe(`a first synchronisation (seed ${seed}) ends with the same tree and exactly its files,`, () => {
  test.each(stories.map((victims, number) => ({ victims, number, names: victims.flat().join(', ') })))(
    'though of $names some are killed at random moments',
    async ({ victims, number }) => {
      const dice = new Dice(seed);
      const site = await TreeSite.open(size);
      const instance = services.into(`killed-${number}`);
      const processes = (): Readonly<Record<string, number>> => ({
        ...instance.instance.processes,
        ...databases.processes,
      });
      await instance.follow(site.url);
      await atMoments(dice, site, instance, async () => {
        for (const group of victims) await kill(dice.pick(group), processes);
      });
      await instance.holds(site.state());
      // A fetch that was interrupted begins again, and holds contents of its own until it ends.
      await until(
        () => instance.withoutOrphans(),
        (contents) => contents === contentsOf(site.state()),
      );
    },
    storyLimit,
  );
});

describe('a hostile tree', () => {
  test('ends with a reason for each part that cannot be fetched; everything else is mirrored', async () => {
    const site = await Site.open();
    const nested = (to: string) => ({ to, nestedFeed: true });
    const levels = 10_000;
    site.documents.set(
      '/root.xml',
      siteFeed(1, [
        siteItem('good', 1, ['good.txt']),
        siteItem('itself', 1, [nested('itself.xml')]),
        siteItem('deep', 1, [nested('deep/1.xml')]),
        siteItem('endless', 1, ['endless.bin']),
        siteItem('private', 1, ['http://10.0.0.1/secret.txt']),
        siteItem('missing', 1, ['missing.txt', 'good.txt']),
      ]),
    );
    site.documents.set('/good.txt', 'good');
    site.documents.set('/itself.xml', siteFeed(1, [siteItem('again', 1, [nested('itself.xml')])]));
    for (let level = 1; level <= levels; level += 1)
      site.documents.set(
        `/deep/${level}.xml`,
        siteFeed(1, [siteItem(`level-${level}`, 1, [nested(`${level + 1}.xml`)])]),
      );
    site.documents.set('/endless.bin', (response) => {
      response.writeHead(200);
      const write = (): void => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536)));
      };
      response.on('drain', write);
      write();
    });
    const instance = services.into('hostile');
    expect(await instance.fetchedBy(() => instance.follow(`${site.url}/root.xml`))).toMatchObject({
      outcome: 'fetched',
    });
    const { items: failed } = (await instance.send(
      'GET',
      '/v1/collections/hostile/documents?state=failed',
    )) as { items: readonly { url: string; reason: { rule: string; reason: string } }[] };
    const reasons = Object.fromEntries(
      failed.map(({ url, reason }) => [url.replace(site.url, ''), reason.rule]),
    );
    expect(reasons).toEqual({
      '/deep/33.xml': 'limit-depth',
      '/endless.bin': 'body-too-large',
      'http://10.0.0.1/secret.txt': 'address-refused',
      '/missing.txt': 'http-status',
    });
    for (const { reason } of failed) expect(reason.reason).toMatch(/./);
    expect(failed.find(({ url }) => url.endsWith('/33.xml'))?.reason.reason).toContain('TREE_DEPTH');
    const tree = await until(
      () => readMirror(instance.url),
      (state) => state['root']?.length === 3 && Object.keys(state).length === 35,
    );
    expect(tree['root']?.map(({ guid }) => guid)).toEqual(['good', 'itself', 'deep']);
    expect(tree['itself']).toMatchObject([{ guid: 'again', links: [{ feed: 'again' }] }]);
    expect(Object.keys(tree).filter((name) => name.startsWith('level-'))).toHaveLength(31);
  });
});
