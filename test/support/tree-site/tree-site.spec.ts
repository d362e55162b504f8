import { afterEach, describe, expect, test } from '@jest/globals';
import { run } from '../../../apps/cli/src/run.ts';
import { closeServers } from '../../cli/local-server.ts';
import { memoryIo } from '../../cli/memory-io.ts';
import { temporaryFolder } from '../../cli/temporary-folder.ts';
import { readMirror, readTree } from './read-mirror.ts';
import { TreeSite } from './tree-site.ts';

afterEach(closeServers);

const folder = temporaryFolder();
const size = { feeds: 20, items: 200, files: 600, levels: 3 } as const;

describe('the site for tests', () => {
  test('has as many feeds, items and files as it was requested, in so many levels', async () => {
    const site = await TreeSite.open({ feeds: 200, items: 5000, files: 20_000, levels: 3 });
    const feeds = Object.values(site.state());
    const items = feeds.flat();
    expect([feeds.length, items.length]).toEqual([200, 5000]);
    expect(site.content.paths.filter((path) => path.includes('/files/'))).toHaveLength(20_000);
    const depthOf = (feed: number): number =>
      1 +
      (site.content.plan.parentOf(feed) === undefined ? 0 : depthOf(site.content.plan.parentOf(feed) ?? 0));
    expect(Math.max(...Array.from({ length: 200 }, (_, feed) => depthOf(feed)))).toBe(3);
    const digests = items.flatMap(({ links }) =>
      links.flatMap((link) => (typeof link === 'object' && 'file' in link ? [link.file] : [])),
    );
    expect(digests.length).toBeGreaterThan(20_000);
    expect(new Set(digests).size).toBeLessThan(20_000);
    expect(items.some(({ links }) => links.includes('on demand'))).toBe(true);
  });

  test('holds over HTTP what it says, before and after changes and deletions', async () => {
    const site = await TreeSite.open(size);
    expect(await readMirror(site.url)).toEqual(site.state());
    const before = site.state();
    site.change(3, 40);
    site.delete(5, 41);
    expect(site.state()).not.toEqual(before);
    expect(await readTree(site.url)).toEqual({ state: site.state(), outdated: [] });
  });

  test(
    'a walker that goes by the dates requests the feeds on the path of what was changed and its files, ' +
      'and nothing else',
    async () => {
      const site = await TreeSite.open(size);
      const walk = (): Promise<number> =>
        run(['sync', site.url, folder.path('mirror'), '--allow-network', '127.0.0.0/8'], memoryIo());
      expect(await walk()).toBe(0);
      expect(site.counts).toEqual({ feeds: 20, files: 600 });
      site.resetCounts();
      site.change(3, 40);
      expect(await walk()).toBe(0);
      expect([...site.requests.keys()].toSorted()).toEqual(site.content.pathsTo([3, 40]));
    },
  );

  test('responds with 304 to the validators that it has sent, until the document changes', async () => {
    const site = await TreeSite.open(size);
    for (const path of [site.content.filePath(2), site.content.filePath(3), site.content.feedPath(3)]) {
      const { headers } = await fetch(site.urlOf(path));
      const [etag, modified] = [headers.get('etag'), headers.get('last-modified')];
      const conditions = {
        ...(etag !== null && { 'if-none-match': etag }),
        ...(modified !== null && { 'if-modified-since': modified }),
      };
      expect([path, (await fetch(site.urlOf(path), { headers: conditions })).status]).toEqual([path, 304]);
      site.change(2, 3);
      expect([path, (await fetch(site.urlOf(path), { headers: conditions })).status]).toEqual([path, 200]);
    }
  });

  test('fails on request, until it is repaired', async () => {
    const site = await TreeSite.open(size);
    const path = site.content.filePath(2);
    for (const failure of [404, 500] as const) {
      site.fail(path, failure);
      expect((await fetch(site.urlOf(path))).status).toBe(failure);
    }
    site.fail(path, 'cut off');
    await expect(fetch(site.urlOf(path)).then((response) => response.text())).rejects.toThrow();
    site.fail(path, 'endless');
    const endless = await fetch(site.urlOf(path));
    let length = 0;
    for await (const bytes of endless.body ?? []) if ((length += bytes.length) > 1_000_000) break;
    expect(length).toBeGreaterThan(1_000_000);
    site.mend(path);
    expect((await fetch(site.urlOf(path))).status).toBe(200);
  });
});
