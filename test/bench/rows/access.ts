import { request } from 'undici';
import { openKeyedFeed } from '../feedmesh/keyed-feed.ts';
import { sendLoad } from '../http-load.ts';
import { scaled } from '../row.ts';
import type { Contender, Row } from '../row.ts';

const clients = 16;

/** The cheapest request with a key, beside the same without one: the difference is what a key costs. */
export const access: Row = {
  name: 'access',
  operation: 'a 304 on one of our feeds, with a key',
  goals: [],
  open: async (world, scale) => {
    const requests = scaled(4000, scale);
    const { installation, url, key } = await openKeyedFeed(world);
    const first = await request(url);
    await first.body.dump();
    const condition = { 'if-none-match': String(first.headers.etag) };
    const contender = (name: string, headers: Readonly<Record<string, string>>): Contender => ({
      name,
      run: () =>
        installation.measure(requests, () =>
          sendLoad(requests, clients, 304, () => ({ url, headers: { ...condition, ...headers } })),
        ),
    });
    return {
      ours: contender('feedmesh', { authorization: `Bearer ${key}` }),
      references: [contender('without a key', {})],
      close: () => installation.stop(),
    };
  },
};
