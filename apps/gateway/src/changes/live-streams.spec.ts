import { EventEmitter } from 'node:events';
import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import type { Response } from 'express';
import { formatCursor } from '#contracts';
import type { ChangeEvent } from '#contracts';
import { collectionKey } from '#core';
import type { ChangesReader } from './changes-reader.ts';
import { LiveStreams } from './live-streams.ts';
import type { PublicationWatch } from './publication-watch.ts';
import type { ChangesPage } from './read-changes.ts';

const news = collectionKey('news');
const [zero, one, two] = [0, 1, 2].map(formatCursor) as [string, string, string];

/** The changes from one sequence to another, as one page. */
function page(from: number, to: number, data: object = {}): ChangesPage {
  const changes = Array.from({ length: to - from }, (_, place) => ({
    sequence: formatCursor(from + place + 1),
    type: 'feedmesh.item.created.v1',
    data,
  })) as unknown as ChangeEvent[];
  return { view: { changes, next: formatCursor(to) }, isLast: true };
}

/** A client that takes what it is sent, until it is full. */
class Client extends EventEmitter {
  readonly received: Uint8Array[] = [];
  isFull = false;
  destroyed = false;

  write(bytes: Uint8Array): boolean {
    this.received.push(bytes);
    return !this.isFull;
  }

  get response(): Response {
    return this as unknown as Response;
  }

  /** The ids of the events that it has got. */
  get ids(): string[] {
    return [
      ...Buffer.concat(this.received)
        .toString()
        .matchAll(/^id: (.*)$/gm),
    ].map(([, id = '']) => id);
  }
}

/** Streams of a gateway whose collection is published when the test says so. */
function streams() {
  const waits: { after: number; end: (isNewer: boolean) => void }[] = [];
  const reads: string[] = [];
  const pages = new Map<string, ChangesPage | Error>();
  const watch = {
    closed: false,
    newer: (_key: string, after: number, _milliseconds: number, signal: AbortSignal) =>
      new Promise<boolean>((end) => {
        waits.push({ after, end });
        signal.addEventListener('abort', () => end(false));
      }),
  };
  const reader = {
    read: async (_key: string, cursor: string) => {
      reads.push(cursor);
      const found = pages.get(cursor) ?? new Error(`nothing follows ${cursor}`);
      if (found instanceof Error) throw found;
      return found;
    },
  };
  const live = new LiveStreams(watch as unknown as PublicationWatch, reader as unknown as ChangesReader);
  const follow = (client: Client, cursor = zero): Promise<string> =>
    live.follow(news, cursor, client.response);
  const wake = async (isNewer = true): Promise<void> => {
    waits.at(-1)?.end(isNewer);
    await turn();
  };
  return { watch, waits, reads, pages, follow, wake };
}

test('many streams are one waiter, and share each read and its bytes', async () => {
  const { waits, reads, pages, follow, wake } = streams();
  const clients = Array.from({ length: 50 }, () => new Client());
  for (const client of clients) void follow(client);
  pages.set(zero, page(0, 1)).set(one, page(1, 2));
  await wake();
  await wake();
  expect(waits.map(({ after }) => after)).toEqual([0, 1, 2]);
  expect(reads).toEqual([zero, one]);
  for (const { received, ids } of clients) {
    expect(ids).toEqual([one, two]);
    expect(received[0]).toBe(clients[0]?.received[0]);
  }
});

test('a client that has enough for now, or goes, leaves with its cursor, and holds up no other', async () => {
  const { waits, pages, follow, wake } = streams();
  const [slow, gone, fast] = [new Client(), new Client(), new Client()];
  const left = [follow(slow), follow(gone)];
  void follow(fast);
  slow.isFull = true;
  gone.emit('close');
  pages.set(zero, page(0, 1)).set(one, page(1, 2));
  await wake();
  await wake();
  expect(await Promise.all(left)).toEqual([one, zero]);
  expect([slow.ids, gone.ids, fast.ids]).toEqual([[one], [], [one, two]]);
  fast.emit('close');
  await turn();
  expect([slow, gone, fast].map((client) => client.listenerCount('close'))).toEqual([0, 0, 0]);
  expect(waits).toHaveLength(3);
});

test('streams that come to the same cursor go on together', async () => {
  const { waits, reads, pages, follow } = streams();
  const [early, late] = [new Client(), new Client()];
  void follow(early);
  void follow(late, one);
  pages.set(zero, page(0, 1)).set(one, page(1, 2));
  waits[0]?.end(true);
  await turn();
  waits[1]?.end(true);
  await turn();
  expect(reads).toEqual([zero, one]);
  expect([early.ids, late.ids]).toEqual([[one, two], [two]]);
  expect(waits).toHaveLength(3);
});

test('without changes all get a heartbeat; at the end or if a read fails, all go', async () => {
  const { watch, pages, follow, wake } = streams();
  const clients = [new Client(), new Client()];
  const followed = clients.map((client) => follow(client));
  await wake(false);
  expect(clients.map(({ received }) => Buffer.concat(received).toString())).toEqual([
    ': nothing new\n\n',
    ': nothing new\n\n',
  ]);
  watch.closed = true;
  await wake(false);
  expect(await Promise.all(followed)).toEqual([zero, zero]);

  watch.closed = false;
  pages.set(zero, new Error('MongoDB is away'));
  const failed = Promise.allSettled(clients.map((client) => follow(client)));
  await wake();
  expect(await failed).toMatchObject([{ status: 'rejected' }, { status: 'rejected' }]);
});

test('an event of several pieces is left to each stream', async () => {
  const { pages, follow, wake } = streams();
  const client = new Client();
  pages.set(zero, page(0, 1, { title: 'x'.repeat(100_000) }));
  const followed = follow(client);
  await wake();
  expect([await followed, client.received]).toEqual([zero, []]);
});
