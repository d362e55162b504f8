import { describe, expect, test } from '@jest/globals';
import type { ChangeEvent, Grant, IssuedKeyView } from '#contracts';
import { problemIn } from './gateway-under-test.ts';
import { useGateway } from './use-gateway.ts';
import { until } from '../../support/until.ts';
import { administrator, keysRequired } from '../../support/keys-required.ts';

interface Answer {
  readonly changes: readonly ChangeEvent[];
  readonly next: string;
}

const bearer = (key: string) => ({ authorization: `Bearer ${key}` });

const gateway = useGateway({
  ...keysRequired,
  GATEWAY_LONGPOLL_SECONDS: '600',
});

const send = (method: string, path: string, body?: unknown, key = administrator): Promise<Response> =>
  gateway.send(method, path, body, bearer(key));

async function make(...names: readonly string[]): Promise<void> {
  for (const name of names) expect((await send('PUT', `/v1/collections/${name}`)).status).toBe(201);
}

async function add(name: string, ids: readonly string[], retention = 100_000): Promise<void> {
  for (const id of ids) {
    expect((await send('POST', `/v1/collections/${name}/items`, { id, title: id })).status).toBe(201);
    await gateway.publish(name, { retention });
  }
}

async function keyFor(...collections: readonly string[]): Promise<string> {
  const grants: Grant[] = collections.map((scope) => ({ permissions: ['read'], collections: scope }));
  const response = await send('POST', '/v1/keys', { name: collections.join(), grants });
  return ((await response.json()) as Required<IssuedKeyView>).key;
}

async function read(key: string, query: Readonly<Record<string, string>> = {}): Promise<Answer> {
  const response = await send('GET', `/v1/changes?${new URLSearchParams(query).toString()}`, undefined, key);
  expect(response.status).toBe(200);
  return (await response.json()) as Answer;
}

const idsOf = ({ changes }: Pick<Answer, 'changes'>): string[] =>
  changes.map(({ id, subject }) => `${id.slice(0, id.indexOf(':'))} ${subject}`);

/** Reads page by page until there is nothing more. */
async function readAll(key: string, query: Readonly<Record<string, string>>): Promise<Answer> {
  const changes: ChangeEvent[] = [];
  for (let since = query['since'] ?? 'start'; ;) {
    const page = await read(key, { ...query, since });
    if (page.changes.length === 0) return { changes, next: page.next };
    changes.push(...page.changes);
    since = page.next;
  }
}

/** A stream of events, as text. */
async function open(key: string, query: string, headers: Record<string, string> = {}) {
  const abort = new AbortController();
  const response = await fetch(`${gateway.url}/v1/changes?mode=stream&${query}`, {
    headers: { ...bearer(key), ...headers },
    signal: abort.signal,
  });
  expect(response.status).toBe(200);
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  return {
    async until(pattern: RegExp): Promise<string> {
      while (!pattern.test(text)) {
        const piece = await reader?.read();
        if (piece === undefined || piece.done) throw new Error(`the stream ended after ${text}`);
        text += piece.value;
      }
      return text;
    },
    close: () => abort.abort(),
  };
}

describe('the changes of all collections', () => {
  test('are those that the key may read, in order for each, and go on from a cursor', async () => {
    await make('a-one', 'a-two', 'b-other');
    for (const name of ['a-one', 'a-two', 'b-other']) await add(name, ['1', '2']);
    const key = await keyFor('a-*');
    const all = await read(key);
    expect(idsOf(all).toSorted()).toEqual(['a-one 1', 'a-one 2', 'a-two 1', 'a-two 2']);
    await add('a-two', ['3']);
    await add('b-other', ['3']);
    expect(idsOf(await read(key, { since: all.next }))).toEqual(['a-two 3']);
    const some = await read(key, { collections: 'a-one' });
    expect(idsOf(some)).toEqual(['a-one 1', 'a-one 2']);
    expect(idsOf(await read(key, { collections: 'b-other' }))).toEqual([]);
  });

  test.each(['1', '2', '3', '100'])('are each read once in pages of %s', async (limit) => {
    const name = (letter: string): string => `p${limit}-${letter}`;
    await make(name('a'), name('b'), name('c'));
    await add(name('a'), ['1', '2', '3', '4', '5']);
    await add(name('c'), ['1']);
    const key = await keyFor(`p${limit}-*`);
    const { changes, next } = await readAll(key, { limit });
    expect(idsOf({ changes }).toSorted()).toEqual([
      ...['1', '2', '3', '4', '5'].map((id) => `${name('a')} ${id}`),
      `${name('c')} 1`,
    ]);
    const own = idsOf({ changes }).filter((id) => id.startsWith(name('a')));
    expect(own).toEqual(own.toSorted());
    await add(name('b'), ['1']);
    expect(idsOf(await read(key, { since: next, limit }))).toEqual([`${name('b')} 1`]);
  });

  test('begin now, with collections that come later from their first change', async () => {
    await make('n-old');
    await add('n-old', ['1']);
    const key = await keyFor('n-*');
    const { changes, next } = await read(key, { since: 'now' });
    expect(changes).toEqual([]);
    await make('n-new');
    await add('n-new', ['1', '2']);
    await add('n-old', ['2']);
    expect(idsOf(await read(key, { since: next })).toSorted()).toEqual(['n-new 1', 'n-new 2', 'n-old 2']);
  });

  test('of a collection that are no longer kept are gone, and the way back is said', async () => {
    await make('g-lost', 'g-kept');
    await add('g-kept', ['1']);
    const key = await keyFor('g-*');
    const { next } = await read(key, { since: 'now' });
    await add('g-lost', ['1', '2', '3', '4'], 2);
    await add('g-kept', ['2']);
    const path = `/v1/changes?since=${next}`;
    const problem = await problemIn(await send('GET', path, undefined, key));
    expect(problem).toMatchObject({
      status: 410,
      rule: 'cursor-gone',
      collection: 'g-lost',
      completeFeed: `${gateway.url}/feeds/g-lost/complete.atom`,
    });
    const { oldestCursor, presentCursor } = problem as unknown as Record<string, string>;
    expect(idsOf(await read(key, { since: oldestCursor ?? '' })).toSorted()).toEqual([
      'g-kept 2',
      'g-lost 3',
      'g-lost 4',
    ]);
    expect(idsOf(await read(key, { since: presentCursor ?? '' }))).toEqual(['g-kept 2']);
    // Who begins with the oldest that is kept misses nothing.
    expect(idsOf(await readAll(key, { limit: '1' }))).toHaveLength(4);
  });

  test('go on after a collection is removed, and made again', async () => {
    await make('r-one', 'r-two');
    await add('r-one', ['1']);
    const key = await keyFor('r-*');
    const { next } = await read(key);
    await send('DELETE', '/v1/collections/r-one');
    await add('r-two', ['1']);
    const without = await read(key, { since: next });
    expect(idsOf(without)).toEqual(['r-two 1']);
    await make('r-one');
    await add('r-one', ['again']);
    for (const since of [next, without.next])
      expect(idsOf(await read(key, { since }))).toContain('r-one again');
  });

  test('are none for a tenant that is suspended', async () => {
    expect((await send('PUT', '/v1/tenants/acme')).status).toBe(201);
    await make('acme.todo', 's-own');
    await add('acme.todo', ['1']);
    await add('s-own', ['1']);
    const key = await keyFor('acme.*', 's-own');
    expect(idsOf(await read(key)).toSorted()).toEqual(['acme.todo 1', 's-own 1']);
    await send('PATCH', '/v1/tenants/acme', { suspended: true });
    await until(
      () => read(key),
      (answer) => idsOf(answer).join() === 's-own 1',
    );
  });

  test.each(['17', 'all~todo', 'all~todo_x', 'all~TODO_1', 'some~todo_1', `all~todo_${'9'.repeat(17)}`])(
    'refuse the cursor %s',
    async (since) => {
      const problem = await problemIn(await send('GET', `/v1/changes?since=${since}`));
      expect(problem).toMatchObject({ status: 400, errors: [{ path: 'query.since' }] });
    },
  );

  test('are refused if one cursor is not enough for their collections', async () => {
    const names = Array.from({ length: 70 }, (_, number) => `w${`${number}`.padStart(59, '-')}`);
    const tenant = 't'.repeat(60);
    expect((await send('PUT', `/v1/tenants/${tenant}`)).status).toBe(201);
    await make(...names.map((name) => `${tenant}.${name}`));
    const key = await keyFor(`${tenant}.*`);
    const problem = await problemIn(await send('GET', '/v1/changes', undefined, key));
    expect(problem).toMatchObject({ status: 400, rule: 'too-many-collections' });
    expect((await read(key, { collections: `${tenant}.${names[0]}` })).changes).toEqual([]);
  });
});

describe('a stream of all collections', () => {
  test('sends what there is, then what comes, and the changes of new collections', async () => {
    await make('l-one', 'l-two');
    await add('l-one', ['1', '2']);
    const key = await keyFor('l-*');
    const stream = await open(key, '');
    await stream.until(/"subject":"2"[^\n]*\n\n/);
    await add('l-two', ['live']);
    await stream.until(/"subject":"live"[^\n]*\n\n/);
    await make('l-three');
    await add('l-three', ['fresh']);
    const text = await stream.until(/"subject":"fresh"[^\n]*\n\n/);
    stream.close();
    const cursor = [...text.matchAll(/^id: (.*)$/gm)].at(-1)?.[1] ?? '';
    await add('l-one', ['after']);
    const resumed = await open(key, 'since=start', { 'last-event-id': cursor });
    const later = await resumed.until(/"subject":"after"[^\n]*\n\n/);
    resumed.close();
    expect([...later.matchAll(/"subject":"([^"]*)"/g)].map(([, subject]) => subject)).toEqual(['after']);
  });

  test('and a long poll wait for a change of any of them', async () => {
    await make('q-one', 'q-two');
    const key = await keyFor('q-*');
    const { next } = await read(key, { since: 'now' });
    const polling = read(key, { since: next, mode: 'longpoll', timeout: '600' });
    await add('q-two', ['news']);
    expect(idsOf(await polling)).toEqual(['q-two news']);
  });
});
