import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { changeEvent, formatCursor } from '#contracts';
import type { ChangeEvent } from '#contracts';
import { PublicationWatch } from '../../../apps/gateway/src/changes/publication-watch.ts';
import { problemIn, startGateway } from './gateway-under-test.ts';
import type { GatewayUnderTest } from './gateway-under-test.ts';
import { useGateway } from './use-gateway.ts';
import { until } from '../../support/until.ts';

interface ChangesAnswer {
  readonly changes: readonly ChangeEvent[];
  readonly next: string;
}

/** Seconds that a long poll may wait here: no test takes that long, so such a poll does not end by itself. */
const longest = 3600;

const gateway = useGateway({ GATEWAY_LONGPOLL_SECONDS: String(longest) });
afterEach(() => {
  jest.restoreAllMocks();
});

async function makeCollection(name: string, count: number): Promise<void> {
  await gateway.send('PUT', `/v1/collections/${name}`);
  for (let number = 1; number <= count; number += 1) await addItem(name, String(number));
}

async function addItem(name: string, id: string, retention?: number): Promise<void> {
  expect((await gateway.send('POST', `/v1/collections/${name}/items`, { id, title: id })).status).toBe(201);
  await gateway.publish(name, retention === undefined ? {} : { retention });
}

async function changesOf(name: string, query = ''): Promise<ChangesAnswer> {
  const response = await gateway.send('GET', `/v1/collections/${name}/changes?${query}`);
  expect(response.status).toBe(200);
  return (await response.json()) as ChangesAnswer;
}

const subjects = ({ changes }: ChangesAnswer): string[] => changes.map(({ subject }) => subject);

describe('the changes', () => {
  test('are CloudEvents in order, from the first', async () => {
    await makeCollection('plain', 2);
    await gateway.send('DELETE', '/v1/collections/plain/items/1');
    await gateway.publish('plain');
    const { changes, next } = await changesOf('plain');
    for (const change of changes) changeEvent.parse(change);
    expect(changes.map(({ id, subject, type }) => [id, subject, type])).toEqual([
      [`plain:${formatCursor(1)}`, '1', 'feedmesh.item.created.v1'],
      [`plain:${formatCursor(2)}`, '2', 'feedmesh.item.created.v1'],
      [`plain:${formatCursor(3)}`, '1', 'feedmesh.item.deleted.v1'],
    ]);
    expect(next).toBe(formatCursor(3));
    expect(changes[0]?.data).toMatchObject({ itemUrl: `${gateway.url}/v1/collections/plain/items/1` });
  });

  test('go on from a cursor, in pages', async () => {
    await makeCollection('paged', 3);
    const first = await changesOf('paged', 'limit=2');
    const second = await changesOf('paged', `since=${first.next}`);
    expect([subjects(first), subjects(second)]).toEqual([['1', '2'], ['3']]);
    expect(await changesOf('paged', `since=${second.next}`)).toEqual({ changes: [], next: second.next });
  });

  test('that are no longer kept are gone, and the way back is said', async () => {
    await makeCollection('pruned', 1);
    for (const id of ['2', '3', '4']) await addItem('pruned', id, 2);
    const problem = await problemIn(
      await gateway.send('GET', `/v1/collections/pruned/changes?since=${formatCursor(0)}`),
    );
    expect(problem).toMatchObject({
      status: 410,
      rule: 'cursor-gone',
      completeFeed: `${gateway.url}/feeds/pruned/complete.atom`,
      oldestCursor: formatCursor(2),
    });
    expect(subjects(await changesOf('pruned'))).toEqual(['3', '4']);
    expect(subjects(await changesOf('pruned', `since=${problem['oldestCursor'] as string}`))).toEqual([
      '3',
      '4',
    ]);
  });

  test.each([
    ['since=1', 400, 'query.since'],
    ['since=%2B00000000000001', 400, 'query.since'],
    ['mode=push', 400, 'query.mode'],
    [`timeout=${longest + 1}`, 400, 'query.timeout'],
    ['limit=0', 400, 'query.limit'],
  ])('refuse ?%s', async (query, status, path) => {
    await makeCollection('refusing', 0);
    expect(
      await problemIn(await gateway.send('GET', `/v1/collections/refusing/changes?${query}`)),
    ).toMatchObject({ status, errors: [{ path }] });
  });

  test.each(['since=0', 'since=start', 'since='])(
    'begin with the oldest that is kept: ?%s',
    async (query) => {
      const name = `begun-${query.slice(6)}`;
      await makeCollection(name, 2);
      expect(await changesOf(name, query)).toEqual(await changesOf(name, ''));
      const feed = await gateway.send('GET', `/feeds/${name}.atom?${query}`);
      expect([feed.status, (await feed.text()).match(/<entry/g)?.length]).toEqual([200, 2]);
    },
  );

  test('refuse a cursor from the future', async () => {
    await makeCollection('young', 1);
    for (const mode of ['normal', 'longpoll', 'stream']) {
      expect(
        await problemIn(
          await gateway.send('GET', `/v1/collections/young/changes?mode=${mode}&since=${formatCursor(9)}`),
        ),
      ).toMatchObject({ status: 410, rule: 'cursor-gone' });
    }
  });
});

/** Watches the clients of a gateway that wait for a publication: how each began to, and when so many have. */
function waits({ application }: GatewayUnderTest) {
  const { calls } = jest.spyOn(application.get(PublicationWatch), 'newer').mock;
  return {
    calls,
    begun: (count: number) =>
      until(
        () => calls.length,
        (begun) => begun >= count,
      ),
  };
}

describe('a long poll', () => {
  const pollQuery = (seconds: number): string => `mode=longpoll&timeout=${seconds}&since=${formatCursor(1)}`;
  const poll = (name: string, seconds: number) => changesOf(name, pollQuery(seconds));

  test('responds at once if there are changes', async () => {
    await makeCollection('ready', 1);
    expect(subjects(await changesOf('ready', 'mode=longpoll'))).toEqual(['1']);
  });

  test('waits for the next change, for however many clients', async () => {
    await makeCollection('waiting', 1);
    const waiting = waits(gateway);
    const polls = [1, 2, 3].map(() => poll('waiting', longest));
    await waiting.begun(3);
    await addItem('waiting', 'news');
    for (const changes of await Promise.all(polls)) {
      expect(changes).toMatchObject({ changes: [{ subject: 'news' }], next: formatCursor(2) });
    }
  });

  test('responds with nothing when its timeout expires', async () => {
    await makeCollection('quiet', 1);
    const waiting = waits(gateway);
    let isLongOver = false;
    const long = poll('quiet', longest).finally(() => {
      isLongOver = true;
    });
    await waiting.begun(1);
    expect(await poll('quiet', 1)).toEqual({ changes: [], next: formatCursor(1) });
    expect(waiting.calls.at(-1)).toEqual(['quiet', 1, 1000, expect.any(AbortSignal)]);
    expect(isLongOver).toBe(false);
    await addItem('quiet', 'news');
    expect(subjects(await long)).toEqual(['news']);
  });

  test('ends when the collection is removed', async () => {
    await makeCollection('removed', 1);
    const waiting = waits(gateway);
    const polling = gateway.send('GET', `/v1/collections/removed/changes?${pollQuery(longest)}`);
    await waiting.begun(1);
    await gateway.send('DELETE', '/v1/collections/removed');
    expect(await problemIn(await polling)).toMatchObject({ status: 404, rule: 'collection-not-found' });
  });
});

describe('a stream', () => {
  interface Stream {
    /** Reads until this many events have come. */
    take(count: number): Promise<{ id: string; event: string; data: ChangeEvent }[]>;
    close(): void;
  }

  async function open(name: string, query: string, headers: Record<string, string> = {}): Promise<Stream> {
    const abort = new AbortController();
    const response = await fetch(`${gateway.url}/v1/collections/${name}/changes?mode=stream&${query}`, {
      headers,
      signal: abort.signal,
    });
    expect([response.status, response.headers.get('content-type')]).toEqual([
      200,
      'text/event-stream; charset=utf-8',
    ]);
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    return {
      async take(count) {
        const events = (): string[] =>
          text
            .split('\n\n')
            .slice(0, -1)
            .filter((block) => !block.startsWith(':'));
        while (events().length < count) {
          const piece = await reader?.read();
          if (piece === undefined || piece.done) throw new Error(`the stream ended after ${text}`);
          text += piece.value;
        }
        return events().map((block) => {
          const [id = '', event = '', data = ''] = block
            .split('\n')
            .map((line) => line.replace(/^\w+: /, ''));
          return { id, event, data: JSON.parse(data) as ChangeEvent };
        });
      },
      close: () => abort.abort(),
    };
  }

  test('sends what there is, then what comes', async () => {
    await makeCollection('live', 2);
    const stream = await open('live', '');
    expect((await stream.take(2)).map(({ id, event, data }) => [id, event, data.subject])).toEqual([
      [formatCursor(1), 'feedmesh.item.created.v1', '1'],
      [formatCursor(2), 'feedmesh.item.created.v1', '2'],
    ]);
    await addItem('live', 'news');
    expect((await stream.take(3)).at(-1)).toMatchObject({ id: formatCursor(3), data: { subject: 'news' } });
    stream.close();
  });

  test('begins with the oldest that is kept if the last event is an empty one', async () => {
    await makeCollection('fresh', 2);
    const stream = await open('fresh', '', { 'last-event-id': '' });
    expect((await stream.take(2)).map(({ data }) => data.subject)).toEqual(['1', '2']);
    stream.close();
  });

  test('resumes after the last event that was seen, whatever since says', async () => {
    await makeCollection('resumed', 3);
    const stream = await open('resumed', `since=${formatCursor(0)}`, { 'last-event-id': formatCursor(2) });
    expect((await stream.take(1)).map(({ data }) => data.subject)).toEqual(['3']);
    stream.close();
  });

  test('sends more than is read at once', async () => {
    await makeCollection('long', 0);
    await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        gateway.send('POST', '/v1/collections/long/items', { id: `item-${index}`, title: 'x' }),
      ),
    );
    await gateway.publish('long');
    const stream = await open('long', 'limit=7');
    expect((await stream.take(40)).map(({ id }) => Number(id))).toEqual(
      Array.from({ length: 40 }, (_, index) => index + 1),
    );
    stream.close();
  });

  // Then it waits for what is newer.
  test('sends what is published right after its first read of the log', async () => {
    const name = 'between';
    await makeCollection(name, 2);
    const { changes } = gateway.store;
    const readLog = changes.read.bind(changes);
    let isPublished = false;
    jest.spyOn(changes, 'read').mockImplementation(async (...question) => {
      const found = await readLog(...question);
      if (question[0] === name && !isPublished) {
        isPublished = true;
        await addItem(name, 'between');
      }
      return found;
    });
    const stream = await open(name, '');
    await until(() => isPublished);
    // If the stream has missed it, it goes on with this one.
    await addItem(name, 'after');
    expect((await stream.take(3)).slice(0, 3).map(({ id, data }) => [id, data.subject])).toEqual([
      [formatCursor(1), '1'],
      [formatCursor(2), '2'],
      [formatCursor(3), 'between'],
    ]);
    stream.close();
  });

  test('and a long poll end with the gateway', async () => {
    const other = await startGateway({ GATEWAY_LONGPOLL_SECONDS: String(longest) });
    await other.send('PUT', '/v1/collections/ending');
    const waiting = waits(other);
    const stream = await other.send('GET', '/v1/collections/ending/changes?mode=stream');
    const poll = other
      .send('GET', `/v1/collections/ending/changes?mode=longpoll&timeout=${longest}`)
      .then(async (response) => response.json());
    const text = stream.text();
    await waiting.begun(2);
    await other.close();
    expect(await text).toMatch(/^: the service is shutting down/);
    expect(await poll).toEqual({ changes: [], next: formatCursor(0), ended: 'shutting-down' });
  });
});
