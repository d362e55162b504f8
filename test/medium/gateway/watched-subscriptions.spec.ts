import { describe, expect, test } from '@jest/globals';
import type { SubscriptionView } from '#contracts';
import { collectionKey, subscriptionId } from '#core';
import type { Subscription } from '#core';
import { sampleSubscription } from '#in-memory';
import { problemIn } from './gateway-under-test.ts';
import { useGateway } from './use-gateway.ts';

const hour = 3_600_000;
const now = Date.now();
const failed = (cause: string) =>
  ({ at: new Date(now), outcome: 'failed', rule: 'http-timeout', cause, reason: 'It is <slow>.' }) as const;

const gateway = useGateway({ GATEWAY_LATE_SECONDS: '600', GATEWAY_REFRESH_RATE: '1' });

/** Makes a collection with a subscription of each state, and returns its name. */
async function planted(name: string): Promise<string> {
  await gateway.send('PUT', `/v1/collections/${name}`);
  const key = collectionKey(name);
  const at = (milliseconds: number) => new Date(now + milliseconds);
  const of = (id: string, given: Partial<Subscription>): Subscription =>
    sampleSubscription({
      collection: key,
      id: subscriptionId(id),
      url: `https://${name}.example/${id}`,
      createdAt: at(-9 * hour),
      nextFetchAt: at(hour),
      ...given,
    });
  await gateway.store.subscriptions.createAll([
    of('fine', { succeededAt: at(-hour) }),
    of('due', { succeededAt: at(-hour), nextFetchAt: at(-1000) }),
    of('overdue', { succeededAt: at(-hour), nextFetchAt: at(-hour) }),
    of('slow', { failures: 2, last: failed('timeout'), succeededAt: at(-9 * hour) }),
    of('lost', { failures: 1, last: failed('http-404'), url: `https://ann:secret@${name}.example/lost` }),
    of('gone', { status: 'gone', failures: 1, last: failed('http-410') }),
    of('idle', { status: 'paused', failures: 1, last: failed('timeout') }),
    of('fresh', {}),
  ]);
  return name;
}

async function json<Body>(method: string, path: string): Promise<Body> {
  const response = await gateway.send(method, path);
  if (response.status !== 200) throw new Error(`${method} ${path}: ${await response.text()}`);
  return (await response.json()) as Body;
}

async function names(path: string): Promise<string[]> {
  return (await json<{ items: SubscriptionView[] }>('GET', path)).items.map(({ id }) => id);
}

const states = { ok: 2, slow: 0, late: 1, failing: 2, gone: 1, paused: 1, new: 1 };

describe('subscriptions', () => {
  test('are counted by state and cause, in a collection and in all', async () => {
    await planted('counted');
    const { total } = await json<{ total: number }>('GET', '/v1/subscriptions/counts');
    expect(await json('GET', '/v1/subscriptions/counts?collection=counted')).toEqual({
      total: 8,
      states,
      causes: { timeout: 1, 'http-404': 1 },
      lateSeconds: 600,
    });
    await planted('counted-too');
    expect(await json('GET', '/v1/subscriptions/counts')).toMatchObject({ total: total + 8 });
  });

  test('are listed by state and cause', async () => {
    await planted('listed');
    const expected = {
      ok: ['due', 'fine'],
      late: ['overdue'],
      failing: ['lost', 'slow'],
      gone: ['gone'],
      paused: ['idle'],
      new: ['fresh'],
    };
    for (const [state, ids] of Object.entries(expected)) {
      expect(await names(`/v1/collections/listed/subscriptions?state=${state}`)).toEqual(ids);
      expect(await names(`/v1/subscriptions?collection=listed&state=${state}`)).toEqual(ids);
    }
    expect(await names('/v1/collections/listed/subscriptions?cause=timeout')).toEqual(['idle', 'slow']);
    expect(await names('/v1/subscriptions?collection=listed&cause=timeout&state=failing')).toEqual(['slow']);
  });

  test('say how they are, and never their credentials', async () => {
    await planted('said');
    const { items } = await json<{ items: SubscriptionView[] }>(
      'GET',
      '/v1/subscriptions?collection=said&state=failing',
    );
    expect(items).toMatchObject([
      { id: 'lost', state: 'failing', last: { cause: 'http-404' }, url: 'https://said.example/lost' },
      { id: 'slow', state: 'failing', last: { cause: 'timeout' }, succeededAt: expect.any(String) },
    ]);
    expect(JSON.stringify(items)).not.toContain('secret');
  });

  test('of all collections are listed page by page', async () => {
    await planted('paged');
    const found: string[] = [];
    let cursor: string | undefined;
    do {
      const query = new URLSearchParams({ limit: '3', ...(cursor !== undefined && { cursor }) });
      const page = await json<{ items: SubscriptionView[]; next?: string }>(
        'GET',
        `/v1/subscriptions?${query.toString()}`,
      );
      found.push(...page.items.map(({ collection, id }) => `${collection}/${id}`));
      cursor = page.next;
    } while (cursor !== undefined);
    expect(new Set(found).size).toBe(found.length);
    expect(found.filter((name) => name.startsWith('paged/'))).toHaveLength(8);
    const { total } = await json<{ total: number }>('GET', '/v1/subscriptions/counts');
    expect(found).toHaveLength(total);
  });

  test('of a collection that does not exist, or in a state that is none, are refused', async () => {
    for (const path of ['', '/counts']) {
      const problem = await problemIn(await gateway.send('GET', `/v1/subscriptions${path}?collection=none`));
      expect(problem.rule).toBe('collection-not-found');
    }
    expect((await problemIn(await gateway.send('GET', '/v1/subscriptions?state=bad'))).rule).toBe(
      'invalid-input',
    );
    expect((await problemIn(await gateway.send('GET', '/v1/subscriptions?cause=$ne'))).rule).toBe(
      'invalid-input',
    );
  });

  test('are a page for a browser, with links by state and cause', async () => {
    await planted('shown');
    const response = await gateway.send(
      'GET',
      '/v1/subscriptions?collection=shown&state=failing',
      undefined,
      {
        accept: 'text/html',
      },
    );
    const html = await response.text();
    expect([response.status, response.headers.get('content-type')]).toEqual([
      200,
      'text/html; charset=utf-8',
    ]);
    expect(html).toContain('?collection=shown&amp;state=failing&amp;cause=timeout">1 timeout</a>');
    expect(html).toContain('failing: http-404<br><small>It is &lt;slow&gt;.</small>');
    expect(html).not.toContain('secret');
    expect(html).not.toContain('shown/fine');
  });
});

describe('many subscriptions', () => {
  test('are paused by state, once, and resumed', async () => {
    await planted('held');
    const pause = () => json('POST', '/v1/subscriptions/pause?collection=held&state=failing');
    expect(await pause()).toEqual({ changed: 2 });
    expect(await pause()).toEqual({ changed: 0 });
    expect(await json('GET', '/v1/subscriptions/counts?collection=held')).toMatchObject({
      states: { ...states, failing: 0, paused: 3 },
      causes: {},
    });
    const timedOut = '/v1/subscriptions/resume?collection=held&cause=timeout';
    expect(await json('POST', timedOut)).toEqual({ changed: 2, dueUntil: expect.any(String) });
    expect(await json('POST', timedOut)).toEqual({ changed: 0 });
    expect(await json('GET', '/v1/subscriptions/counts?collection=held')).toMatchObject({
      states: { ...states, failing: 2, paused: 1 },
    });
  });

  test('are refreshed over a time that fits the rate, and none later than it is due', async () => {
    await planted('soon');
    const before = Date.now();
    const { changed, dueUntil } = await json<{ changed: number; dueUntil: string }>(
      'POST',
      '/v1/subscriptions/refresh?collection=soon',
    );
    // The paused and the gone one are not.
    expect(changed).toBe(6);
    const until = Date.parse(dueUntil);
    expect(until - before).toBeGreaterThanOrEqual(8000);
    const { items } = await json<{ items: SubscriptionView[] }>('GET', '/v1/collections/soon/subscriptions');
    const active = items.filter(({ status }) => status === 'active');
    for (const { nextFetchAt, nextFetchReason } of active) {
      expect(Date.parse(nextFetchAt)).toBeLessThanOrEqual(until);
      expect(nextFetchReason).toBe('it was requested, with others');
    }
    expect(items.find(({ id }) => id === 'overdue')?.nextFetchAt).toBe(new Date(now - hour).toISOString());
  });

  test('of other collections stay as they are', async () => {
    await planted('mine');
    await planted('theirs');
    await json('POST', '/v1/subscriptions/pause?collection=mine');
    expect(await json('GET', '/v1/subscriptions/counts?collection=theirs')).toMatchObject({ states });
  });

  test('of all collections are paused by one request', async () => {
    await planted('everyone');
    await json('POST', '/v1/subscriptions/pause?cause=http-404');
    expect(await json('GET', '/v1/subscriptions/counts')).toMatchObject({
      causes: { timeout: expect.any(Number) },
    });
    expect(await names('/v1/subscriptions?state=failing&cause=http-404')).toEqual([]);
  });
});
