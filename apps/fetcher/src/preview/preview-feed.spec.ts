import { beforeEach, expect, test } from '@jest/globals';
import { createMemoryHttp, MemoryHostBudget } from '#in-memory';
import type { MemoryHttp } from '#in-memory';
import type { PreviewJob, PreviewReply } from '#contracts';
import { FetchError } from '#core';
import { TenantFetches } from '../tenant-fetches.ts';
import { Robots } from '../discovery/robots.ts';
import { defaultScanLimits } from '#xml';
import { previewFeed } from './preview-feed.ts';

const url = 'https://paper.example/rss';
const start = Date.parse('2026-01-01T00:00:00Z');
const item = '<item><title>A</title></item>';
const rss = `<rss version="2.0"><channel><title>T</title>${item}</channel></rss>`;

let http: MemoryHttp;
let time: number;
beforeEach(() => {
  http = createMemoryHttp();
  time = start;
});

const clock = { now: () => new Date(time), wait: async () => {} };

async function previewed(job: Partial<PreviewJob> = {}): Promise<PreviewReply> {
  const until = new Date(start + 1000).toISOString();
  const tenants = new TenantFetches({
    store: { tenants: { find: async () => undefined } },
    budget: new MemoryHostBudget(() => time),
    clock,
    random: { fraction: () => 0 },
    perMinute: 0.001,
  });
  if (job.tenant !== undefined) await tenants.delayOf(job.tenant);
  return previewFeed(
    { http, clock, tenants, robots: new Robots('Feedmesh/0.1.0', clock) },
    { scan: { ...defaultScanLimits, items: 2 } },
    { version: 1, reply: 'r', until, url, limit: 50, ...job },
  );
}

test('a feed is previewed within the limits of feeds', async () => {
  http.serve(url, () => ({ status: 200, body: rss }));
  expect(await previewed()).toMatchObject({ preview: { itemCount: 1, items: [{ title: 'A' }] } });
  http.serve(url, () => ({ status: 200, body: rss.replace(item, item.repeat(3)) }));
  expect(await previewed()).toMatchObject({ failure: { rule: 'limit-items', cause: 'too-large' } });
});

test.each(['host-busy', 'host-paused'])(
  'it may be requested again if the fetch ends with %s',
  async (rule) => {
    http.serve(url, () => {
      throw new FetchError(rule, 'it has to wait');
    });
    expect(await previewed()).toMatchObject({ failure: { rule, isTemporary: true } });
  },
);

test('it counts as a fetch of its tenant', async () => {
  http.serve(url, () => ({ status: 200, body: rss }));
  expect(await previewed({ tenant: 'acme' })).toMatchObject({
    failure: { rule: 'tenant-limit', reason: expect.stringContaining('"acme"'), isTemporary: true },
  });
});

test('nothing is fetched once nobody waits for it', async () => {
  time += 1000;
  expect(await previewed()).toMatchObject({ failure: { rule: 'preview-timeout', isTemporary: true } });
});

test('a page is searched for feeds only if the rules of its site permit that', async () => {
  const body = '<html><head><link rel="alternate" type="application/rss+xml" href="/other"></head></html>';
  http.serve(url, () => ({ status: 200, body }));
  http.serve('https://paper.example/other', () => ({ status: 200, body: rss }));
  http.serve('https://paper.example/robots.txt', () => ({ status: 404 }));
  expect(await previewed()).toMatchObject({
    preview: { url: 'https://paper.example/other', page: url, itemCount: 1 },
  });
  const closed = 'User-agent: *\nDisallow: /';
  http.serve('https://paper.example/robots.txt', () => ({ status: 200, body: closed }));
  expect(await previewed()).toMatchObject({ failure: { rule: 'robots-disallowed', cause: 'robots' } });
});
