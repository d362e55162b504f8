import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { collectionKey } from '#core';
import { isStress } from '../../support/stress.ts';
import { startGateway } from './gateway-under-test.ts';
import type { GatewayUnderTest } from './gateway-under-test.ts';

const publications = isStress ? 500 : 20;
const name = 'followed';
const feeds = ['root', 'east', 'west'] as const;

let gateway: GatewayUnderTest;
let urls: readonly string[];
const others: Awaited<ReturnType<GatewayUnderTest['startAnother']>>[] = [];

beforeAll(async () => {
  gateway = await startGateway();
  for (let count = 0; count < 2; count += 1) others.push(await gateway.startAnother());
  urls = [gateway.url, ...others.map(({ url }) => url)];
  await send('PUT', `/v1/collections/${name}`, { protocol: 'cse' });
  for (const feed of ['east', 'west']) {
    await send('PUT', `/v1/collections/${name}/feeds/${feed}`);
    await send('POST', `/v1/collections/${name}/items`, { guid: feed, title: feed, links: [{ feed }] });
  }
  for (const feed of feeds)
    await send('POST', `/v1/collections/${name}/items`, { feed, guid: `in ${feed}`, title: '0' });
  await gateway.publish(name);
});
afterAll(async () => {
  for (const other of others) await other.close();
  await gateway.close();
});

async function send(method: string, path: string, body: unknown = {}): Promise<void> {
  const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
  const response = await gateway.send(method, path, JSON.stringify(body), { 'content-type': type });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${text}`);
}

/** Follows a feed of the tree by conditional requests to whichever gateway. */
class Follower {
  readonly #feed: string;
  #etag: string | undefined;
  #date = 0;
  /** The title of the item that is edited. */
  title = 0;

  constructor(feed: string) {
    this.#feed = feed;
  }

  async poll(url: string): Promise<void> {
    const known = await publishedAt(this.#feed);
    const path = this.#feed === 'root' ? `/feeds/${name}.rss` : `/feeds/${name}/${this.#feed}.rss`;
    const response = await fetch(new URL(path, url), {
      headers: this.#etag === undefined ? {} : { 'if-none-match': this.#etag },
    });
    const text = await response.text();
    if (response.status === 200) {
      this.#etag = response.headers.get('etag') ?? undefined;
      const date = Date.parse(/<lastBuildDate>([^<]+)/.exec(text)?.[1] ?? '');
      expect(date).toBeGreaterThanOrEqual(this.#date);
      this.#date = date;
      const title = Number(/<title>(\d+)<\/title>/.exec(text)?.[1]);
      expect(title).toBeGreaterThanOrEqual(this.title);
      this.title = title;
    } else expect(response.status).toBe(304);
    expect(this.#date).toBeGreaterThanOrEqual(known);
  }
}

async function publishedAt(feed: string): Promise<number> {
  const found = (await gateway.store.feeds.load(collectionKey(name), [feed])).get(feed);
  return found?.publishedAt?.getTime() ?? 0;
}

const steps = fc.array(
  fc.oneof(
    fc.record({ do: fc.constant('publish' as const), feed: fc.nat(2) }),
    fc.record({ do: fc.constant('poll' as const), feed: fc.nat(2), gateway: fc.nat(2) }),
    fc.record({ do: fc.constant('poll' as const), feed: fc.nat(2), gateway: fc.nat(2) }),
  ),
  { minLength: publications * 3, maxLength: publications * 3 },
);

test(`followers of a tree miss nothing and never go back in ${publications} publications`, async () => {
  const [story = []] = fc.sample(steps, { numRuns: 1, seed: Number(process.env['FOLLOWERS_SEED'] ?? 1) });
  const followers = feeds.map((feed) => new Follower(feed));
  // Polls go on while things are published; each follower sends one request after the other.
  const polls = followers.map(() => Promise.resolve());
  const titles = [0, 0, 0];
  for (const step of story) {
    const feed = feeds[step.feed] ?? 'root';
    if (step.do === 'publish') {
      const title = (titles[step.feed] = (titles[step.feed] ?? 0) + 1);
      await send('PATCH', `/v1/collections/${name}/items/${feed}:in%20${feed}`, { title: String(title) });
      await gateway.publish(name);
    } else {
      const url = urls[step.gateway] ?? '';
      const follower = followers[step.feed];
      polls[step.feed] = polls[step.feed]!.then(() => follower?.poll(url));
      // Some polls meet the next publication.
      if (step.gateway === 0) await polls[step.feed];
    }
  }
  await Promise.all(polls);
  for (const [place, follower] of followers.entries()) {
    await follower.poll(urls[place] ?? '');
    expect(follower.title).toBe(titles[place]);
  }
}, 600_000);
