import { request } from 'undici';
import { createOwnItems } from '../feedmesh/own-items.ts';
import { sendLoad } from '../http-load.ts';
import { startBareServer } from '../references/bare-server.ts';
import { scaled } from '../row.ts';
import type { Contender, Row, World } from '../row.ts';

const items = 300;
const clients = 16;

/** Conditional requests for a feed that has not changed. */
export const unchangedFeed: Row = {
  name: 'feed-304',
  operation: 'a 304 on one of our feeds',
  goals: [{ figure: 'rate', beside: 'bare Node server', atLeast: 0.6 }],
  open: async (world, scale) => openFeed(world, 'feed-304', scaled(2000, scale), 304),
};

/** Requests for a whole feed of 300 items, compressed. */
export const wholeFeed: Row = {
  name: 'feed-gzip',
  operation: `a feed of ${items} items, gzip`,
  goals: [{ figure: 'rate', beside: 'bare Node server', atLeast: 0.8 }],
  open: async (world, scale) => openFeed(world, 'feed-gzip', scaled(300, scale), 200),
};

async function openFeed(world: World, collection: string, requests: number, status: 200 | 304) {
  const installation = await world.installation();
  await createOwnItems(installation, collection, items);
  const url = `${installation.url}/feeds/${collection}.atom`;
  const accept: Readonly<Record<string, string>> = { 'accept-encoding': 'gzip' };
  const first = await request(url, { headers: accept });
  const body = Buffer.from(await first.body.arrayBuffer());
  if (first.statusCode !== 200) throw new Error(`GET ${url}: ${first.statusCode}`);
  const condition: Readonly<Record<string, string>> =
    status === 304 ? { 'if-none-match': String(first.headers.etag) } : {};
  const bare = await startBareServer(body, String(first.headers['content-type']), 'gzip');
  const load = (address: string): Promise<number[]> =>
    sendLoad(requests, clients, status, () => ({ url: address, headers: { ...accept, ...condition } }));
  const ours: Contender = { name: 'feedmesh', run: () => installation.measure(requests, () => load(url)) };
  const reference: Contender = {
    name: 'bare Node server',
    run: async () => {
      const startedAt = performance.now();
      const latencies = await load(bare.url);
      return { operations: requests, seconds: (performance.now() - startedAt) / 1000, latencies };
    },
  };
  return {
    ours,
    references: [reference],
    close: async () => {
      bare.close();
      await installation.send('DELETE', `collections/${collection}`);
    },
  };
}
