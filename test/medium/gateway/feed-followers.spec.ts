import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { collectionKey, formatCursor } from '#contracts';
import { fieldsOfPayload } from '#xml';
import { isStress } from '../../support/stress.ts';
import { readSyncFeed } from '../../support/sync-feed.ts';
import { startGateway } from './gateway-under-test.ts';
import type { GatewayUnderTest } from './gateway-under-test.ts';

const publications = isStress ? 1000 : 40;
const name = 'followed';
const ids = ['a', 'b', 'c', 'd', 'e', 'f'];

let gateway: GatewayUnderTest;
let urls: readonly string[];
const others: Awaited<ReturnType<GatewayUnderTest['startAnother']>>[] = [];

beforeAll(async () => {
  gateway = await startGateway();
  for (let count = 0; count < 2; count += 1) others.push(await gateway.startAnother());
  urls = [gateway.url, ...others.map(({ url }) => url)];
  await gateway.send('PUT', `/v1/collections/${name}`, { format: 'atom', settings: { windowItems: 4 } });
});
afterAll(async () => {
  for (const other of others) await other.close();
  await gateway.close();
});

/** Follows the feeds of the collection through whichever gateway a request comes to. */
class Follower {
  /** The titles that it knows, by id. */
  readonly titles = new Map<string, string>();
  #until = 0;
  #etag: string | undefined;
  readonly #requests: 'conditional' | 'since';

  constructor(requests: 'conditional' | 'since') {
    this.#requests = requests;
  }

  async poll(url: string): Promise<void> {
    const known = await publishedSequence();
    const path =
      this.#requests === 'since'
        ? `/feeds/${name}/complete.atom?since=${formatCursor(this.#until)}`
        : `/feeds/${name}.atom`;
    const condition: Record<string, string> =
      this.#requests === 'conditional' && this.#etag ? { 'if-none-match': this.#etag } : {};
    const response = await fetch(new URL(path, url), { headers: condition });
    const body = await response.text();
    if (response.status === 304) expect(this.#until).toBeGreaterThanOrEqual(known);
    else {
      expect(response.status).toBe(200);
      this.#etag = response.headers.get('etag') ?? undefined;
      await this.#read(body, url);
      expect(this.#until).toBeGreaterThanOrEqual(known);
    }
  }

  async #read(body: string, url: string): Promise<void> {
    const { since, until, items } = readSyncFeed(body);
    expect(until).toBeGreaterThanOrEqual(this.#until);
    if (since > this.#until) {
      const complete = await fetch(new URL(`/feeds/${name}/complete.atom`, url));
      return this.#read(await complete.text(), url);
    }
    this.#until = until;
    for (const { sync, data } of items) this.titles.set(sync.id, fieldsOfPayload(data).title ?? '');
  }
}

async function publishedSequence(): Promise<number> {
  return (await gateway.store.collections.find(collectionKey(name)))?.publication.sequence ?? 0;
}

type Step =
  | { readonly do: 'publish'; readonly edits: readonly { readonly id: string; readonly title: string }[] }
  | { readonly do: 'poll'; readonly follower: number; readonly gateway: number };

const steps = fc.array(
  fc.oneof(
    fc.record({
      do: fc.constant('publish' as const),
      edits: fc.array(
        fc.record({ id: fc.constantFrom(...ids), title: fc.string({ unit: 'grapheme-ascii' }) }),
        {
          minLength: 1,
          maxLength: 3,
        },
      ),
    }),
    fc.record({ do: fc.constant('poll' as const), follower: fc.nat(3), gateway: fc.nat(2) }),
    fc.record({ do: fc.constant('poll' as const), follower: fc.nat(3), gateway: fc.nat(2) }),
  ),
  { minLength: publications * 3, maxLength: publications * 3 },
);

test(`followers miss nothing, and never go back, in about ${publications} publications`, async () => {
  const [story = []] = fc.sample(steps, { numRuns: 1, seed: Number(process.env['FOLLOWERS_SEED'] ?? 1) });
  const followers = [
    new Follower('conditional'),
    new Follower('conditional'),
    new Follower('since'),
    new Follower('since'),
  ];
  const titles = new Map<string, string>();
  // Polls go on while things are published; each follower sends one request after the other.
  const polls = followers.map(() => Promise.resolve());
  for (const step of story as Step[]) {
    if (step.do === 'publish') await publish(step.edits, titles);
    else {
      const { follower, gateway: index } = step;
      polls[follower] = polls[follower]!.then(() => followers[follower]?.poll(urls[index] ?? ''));
      // Some polls meet the next publication.
      if (index === 0) await polls[follower];
    }
  }
  await Promise.all(polls);
  for (const [index, follower] of followers.entries()) {
    await follower.poll(urls[index % urls.length] ?? '');
    expect(Object.fromEntries(follower.titles)).toEqual(Object.fromEntries(titles));
  }
}, 600_000);

async function publish(
  edits: readonly { readonly id: string; readonly title: string }[],
  titles: Map<string, string>,
): Promise<void> {
  for (const { id, title } of edits) {
    const isNew = !titles.has(id);
    const path = `/v1/collections/${name}/items${isNew ? '' : `/${id}`}`;
    const body = { ...(isNew && { id }), title, content: 'x' };
    const response = await gateway.send(isNew ? 'POST' : 'PUT', path, body);
    expect([200, 201]).toContain(response.status);
    await response.body?.cancel();
    titles.set(id, title);
  }
  await gateway.publish(name);
}
