import type { ServerResponse } from 'node:http';
import { afterEach, describe, expect, test } from '@jest/globals';
import type { ChangeEvent, ItemEvent, SubscriptionEvent } from '#contracts';
import { run } from '../../apps/cli/src/run.ts';
import { answerJson, closeServers, localServer } from './local-server.ts';
import { memoryIo } from './memory-io.ts';

afterEach(closeServers);

function change(sequence: number, data: Partial<ItemEvent['data']> = {}): ItemEvent {
  const cursor = String(sequence).padStart(16, '0');
  return {
    specversion: '1.0',
    id: `todo:${cursor}`,
    source: 'urn:feedmesh:example.org:todo',
    subject: `item_${sequence}`,
    type: 'feedmesh.item.updated.v1',
    time: '2026-01-01T00:00:00Z',
    datacontenttype: 'application/json',
    sequence: cursor,
    data: { updates: 1, deleted: false, conflictCount: 0, itemUrl: '', ...data },
  };
}

function ofSubscription(
  sequence: number,
  what: 'progress' | 'fetched',
  data: Partial<SubscriptionEvent['data']> = {},
): SubscriptionEvent {
  return {
    ...change(sequence),
    type: `feedmesh.subscription.${what}.v1`,
    subject: 'source',
    data: { subscription: 'source', ...data },
  } as SubscriptionEvent;
}

function send(response: ServerResponse, event: ChangeEvent): void {
  response.write(`id: ${event.sequence}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
}

/**
 * A service at cursor 5 whose stream is written by `stream`, called with the number of the connection and its
 * `since`.
 */
async function service(stream: (response: ServerResponse, connection: number, since: string | null) => void) {
  let connections = 0;
  return localServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost');
    if (pathname !== '/v1/collections/todo/changes')
      return answerJson(response, { name: 'todo', cursor: '0000000000000005' });
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.flushHeaders();
    return stream(response, (connections += 1), searchParams.get('since'));
  });
}

describe('watch', () => {
  test('prints what is new, one change a line, and ends with 0 when it is interrupted', async () => {
    const { url } = await service((response, _, since) => {
      response.write(': nothing new\n\n');
      if (since === '0000000000000005')
        send(
          response,
          change(6, {
            updates: 3,
            history: { sequence: 3, by: 'JEO2000' },
            conflictCount: 1,
            subscription: 'jack',
          }),
        );
    });
    const io = memoryIo();
    const running = run(['watch', 'todo', '--url', url], io);
    await io.appeared(/item_6/);
    io.interrupt();
    expect(await running).toBe(0);
    expect(io.out()).toBe(
      '2026-01-01T00:00:00Z\t0000000000000006\titem.updated\titem_6\tupdates 3\tby JEO2000\t1 ' +
        'conflict\tfrom jack\n',
    );
    expect(io.err()).toBe('');
  });

  test(
    'takes a lost connection up again after the last change, so that none is missed and none printed ' +
      'twice',
    async () => {
      const asked: (string | null)[] = [];
      const { url } = await service((response, connection, since) => {
        asked.push(since);
        send(response, change(6 + connection));
        if (connection === 1) response.write('id: 0000000000000009\ndata: {"half', () => response.destroy());
        if (connection === 2) response.end();
      });
      const io = memoryIo();
      const running = run(
        ['watch', 'todo', '--since', '0000000000000002', '--retry', '0.01', '-o', 'json', '--url', url],
        io,
      );
      await io.appeared(/item_9/);
      io.interrupt();
      expect(await running).toBe(0);
      expect(asked).toEqual(['0000000000000002', '0000000000000007', '0000000000000008']);
      expect(
        io
          .out()
          .trimEnd()
          .split('\n')
          .map((line) => JSON.parse(line) as unknown),
      ).toEqual([change(7), change(8), change(9)]);
      expect(io.err()).toMatch(/connection lost: .*; resuming after 0000000000000007/);
    },
  );

  test(
    'shows the progress of a walk as a bar on a terminal, below the other changes and until the walk ' +
      'has ended',
    async () => {
      const { url } = await service((response) => {
        send(
          response,
          ofSubscription(6, 'progress', { progress: { done: 12, total: 48, bytes: 3_400_000, failed: 1 } }),
        );
        send(response, change(7));
        send(response, ofSubscription(8, 'fetched'));
        send(response, change(9));
      });
      const io = memoryIo({ terminal: true });
      const running = run(['watch', 'todo', '--url', url], io);
      await io.appeared(/item_9/);
      io.interrupt();
      expect(await running).toBe(0);
      const bar = '\r\u001b[K[######------------------] 12/48 documents, 3.4 MB, 1 failed';
      expect(io.err()).toBe(`${bar}\r\u001b[K${bar}\r\u001b[K`);
      expect(
        io
          .out()
          .trimEnd()
          .split('\n')
          .map((line) => line.split('  ')[2]),
      ).toEqual(['item.updated', 'subscription.fetched', 'item.updated']);
    },
  );

  test('prints the progress of a walk as lines off a terminal, and as events with -o json', async () => {
    const event = ofSubscription(6, 'progress', {
      progress: { done: 1, total: 1, bytes: 999, failed: 0 },
      subscription: 'source',
    });
    const { url } = await service((response) => send(response, event));
    const io = memoryIo();
    const running = run(['watch', 'todo', '--url', url], io);
    await io.appeared(/source/);
    io.interrupt();
    expect([await running, io.out(), io.err()]).toEqual([
      0,
      '2026-01-01T00:00:00Z\t0000000000000006\tsubscription.progress\tsource\t1/1 document, 999 B\tfrom ' +
        'source\n',
      '',
    ]);
    const json = memoryIo({ terminal: true });
    const runningJson = run(['watch', 'todo', '-o', 'json', '--url', url], json);
    await json.appeared(/source/);
    json.interrupt();
    expect([await runningJson, JSON.parse(json.out()), json.err()]).toEqual([0, event, '']);
  });

  test('prints the changes of all collections, those of a lost connection once', async () => {
    const asked: (string | null)[] = [];
    const of = (collection: string, sequence: number): ItemEvent => {
      const event = change(sequence);
      return { ...event, id: `${collection}:${event.sequence}`, subject: `${collection} ${sequence}` };
    };
    const { url } = await localServer((request, response) => {
      const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost');
      expect(pathname).toBe('/v1/changes');
      const since = searchParams.get('since');
      if (since === 'now') return answerJson(response, { changes: [], next: 'all~a_5' });
      asked.push(since);
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const event = (one: ItemEvent, id = ''): string => `${id}data: ${JSON.stringify(one)}\n\n`;
      if (asked.length === 1) return response.end(event(of('a', 6)));
      return response.write(event(of('a', 6)) + event(of('b', 1), 'id: all~a_6~b_1\n'));
    });
    const io = memoryIo();
    const running = run(['watch', '--retry', '0.01', '--url', url], io);
    await io.appeared(/b 1/);
    io.interrupt();
    expect(await running).toBe(0);
    expect(asked).toEqual(['all~a_5', 'all~a_5']);
    const places = [6, 1].map((sequence) => String(sequence).padStart(16, '0'));
    expect(
      io
        .out()
        .trimEnd()
        .split('\n')
        .map((line) => line.split('\t')[1]),
    ).toEqual([`a:${places[0]}`, `b:${places[1]}`]);
  });

  test('begins at the oldest change that is kept if requested', async () => {
    const { url } = await service((response, _, since) => send(response, change(since === null ? 1 : 99)));
    const io = memoryIo();
    const running = run(['watch', 'todo', '--since', 'start', '--url', url], io);
    await io.appeared(/item_/);
    io.interrupt();
    expect(await running).toBe(0);
    expect(io.out()).toContain('item_1');
  });

  test('ends with 3 if the service refuses, even when a lost connection is resumed', async () => {
    let connections = 0;
    const { url } = await localServer((_, response) => {
      connections += 1;
      if (connections === 1) response.writeHead(200, { 'content-type': 'text/event-stream' }).end();
      else
        answerJson(
          response,
          { title: 'Cursor gone', detail: 'The changes after 0000000000000002 are no longer kept.' },
          410,
        );
    });
    const io = memoryIo();
    expect(
      await run(['watch', 'todo', '--since', '0000000000000002', '--retry', '0.01', '--url', url], io),
    ).toBe(3);
    expect(io.err()).toContain('Cursor gone: The changes after 0000000000000002 are no longer kept.');
  });

  test('ends with 3 if there is no service to begin with', async () => {
    expect(await run(['watch', 'todo', '--since', 'start', '--url', 'http://127.0.0.1:1'], memoryIo())).toBe(
      3,
    );
  });
});
