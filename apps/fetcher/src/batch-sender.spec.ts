import { createHash } from 'node:crypto';
import { expect, test } from '@jest/globals';
import type { Fragment } from '#xml';
import type { Job } from '#contracts';
import { collectionKey, subscriptionId } from '#core';
import { BatchSender } from './batch-sender.ts';

const job = { collection: collectionKey('todo'), subscription: subscriptionId('peer'), manifest: 'm' };
const fragment = (id: string, version: number): Fragment => ({
  id,
  xml: `<entry>${id} ${version}</entry>`,
  line: 1,
  column: 1,
});
const digestOf = ({ xml }: Fragment): string => createHash('sha256').update(xml).digest('base64url');

/**
 * A sender, the titles of what it sends, the documents it sends them from, what it marks as brought, and a
 * way to let mergers take a job.
 */
function senderThatKnows(
  known: readonly Fragment[],
  limits = { items: 100, characters: 10_000, backlog: 100 },
) {
  const sent: string[][] = [];
  const documents: (string | undefined)[] = [];
  const marks: string[] = [];
  const waits = { backlog: 0, alive: 0 };
  const sender = new BatchSender(
    {
      store: {
        items: {
          known: async (_collection: string, sources: readonly { id: string; digest: string }[]) =>
            new Set(
              sources
                .filter((source) =>
                  known.some((one) => one.id === source.id && digestOf(one) === source.digest),
                )
                .map(({ id }) => id),
            ),
          remember: async (_collection: string, sources: readonly { id: string; fetchPass?: string }[]) => {
            marks.push(...sources.map(({ id, fetchPass }) => `${id} ${fetchPass}`));
          },
        } as unknown as BatchSenderStore,
      },
      queue: {
        send: async (jobs: readonly Job[]) => {
          waits.backlog += jobs.length;
          for (const { queue, data } of jobs) {
            if (queue !== 'merge') continue;
            sent.push(data.fragments.map(({ xml }) => xml.replace(/<\/?entry>/g, '')));
            documents.push(data.document, data.base);
          }
        },
        backlog: async () => waits.backlog,
      },
      clock: { now: () => new Date(0), wait: async () => void (waits.backlog -= 0.5) },
      heartbeat: async () => void (waits.alive += 1),
    },
    job,
    'http://a.example/feed',
    limits,
  );
  return { sender, sent, documents, marks, waits };
}
type BatchSenderStore = ConstructorParameters<typeof BatchSender>[0]['store']['items'];

test('what is known is not sent again', async () => {
  const { sender, sent } = senderThatKnows([fragment('a', 1), fragment('b', 1)]);
  await sender.take([fragment('a', 1), fragment('b', 2), fragment('c', 1)]);
  await sender.flush();
  expect(sent).toEqual([['b 2', 'c 1']]);
  expect(sender).toMatchObject({ items: 3, known: 1, batches: 1 });
});

test('of an item that the feed repeats every version is sent, although one is known', async () => {
  const { sender, sent } = senderThatKnows([fragment('a', 1), fragment('b', 1)]);
  await sender.take([fragment('a', 1), fragment('a', 2), fragment('b', 1)]);
  await sender.flush();
  expect(sent).toEqual([['a 1', 'a 2']]);
  expect(sender).toMatchObject({ items: 2, known: 1 });
});

test('an item is counted once, though its versions are in several batches and documents', async () => {
  const { sender } = senderThatKnows([fragment('a', 1)], { items: 1, characters: 10_000, backlog: 100 });
  const long = 'x'.repeat(1000);
  await sender.take([fragment('a', 1), fragment('a', 2), fragment(long, 1)]);
  await sender.beginCompleteFeed('http://a.example/all', false);
  await sender.take([fragment('a', 3), fragment(long, 1), fragment('b', 1)]);
  await sender.flush();
  expect(sender).toMatchObject({ items: 3, known: 0 });
});

test(
  'what the partial feed has brought is not sent again from the complete one, and each job says where ' +
    'its items stand',
  async () => {
    const { sender, sent, documents, marks } = senderThatKnows([fragment('c', 1)]);
    await sender.take([fragment('a', 2), fragment('c', 1)]);
    await sender.beginCompleteFeed('http://a.example/all', false);
    await sender.take([fragment('a', 2), fragment('b', 1), fragment('c', 1)]);
    await sender.flush();
    expect(sent).toEqual([['a 2'], ['b 1']]);
    expect(sender).toMatchObject({ items: 3, known: 1 });
    expect(documents).toEqual(['feed', 'http://a.example/feed', 'complete', 'http://a.example/all']);
    expect(marks).toEqual([]);
  },
);

test('in a resync, a known item is marked as brought by the feed that brought it first', async () => {
  const { sender, sent, marks } = senderThatKnows(
    ['a', 'b', 'c', 'd'].map((id) => fragment(id, 1)),
    { items: 2, characters: 10_000, backlog: 100 },
  );
  await sender.take([fragment('a', 1), fragment('b', 2), fragment('c', 1)]);
  await sender.beginCompleteFeed('http://a.example/all', true);
  expect(marks).toEqual(['a m.feed', 'c m.feed']);
  await sender.take([
    fragment('a', 1),
    fragment('b', 2),
    fragment('c', 1),
    fragment('d', 1),
    fragment('e', 1),
  ]);
  await sender.flush();
  expect(marks).toEqual(['a m.feed', 'c m.feed', 'd m.complete']);
  expect(sent).toEqual([['b 2'], ['e 1']]);
});

test('while the mergers are behind it waits, and shows that it is alive', async () => {
  const { sender, sent, waits } = senderThatKnows([], { items: 1, characters: 10_000, backlog: 1 });
  await sender.take([fragment('a', 1), fragment('b', 1), fragment('c', 1)]);
  expect(sent).toEqual([['a 1'], ['b 1'], ['c 1']]);
  expect(waits.alive).toBeGreaterThan(1);
});

test('a batch is full at its number of items or of characters', async () => {
  const { sender, sent } = senderThatKnows([], { items: 2, characters: 60, backlog: 100 });
  await sender.take([fragment('a', 1), fragment('b', 1), fragment('c'.repeat(50), 1), fragment('d', 1)]);
  await sender.flush();
  expect(sent.map(({ length }) => length)).toEqual([2, 1, 1]);
});
