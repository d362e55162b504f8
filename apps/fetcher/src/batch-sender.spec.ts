import { createHash } from 'node:crypto';
import { expect, test } from '@jest/globals';
import type { Fragment } from '#feed-xml';
import type { Job } from '#messages';
import { BatchSender } from './batch-sender.ts';

const job = { collection: 'todo', subscription: 'peer', manifest: 'm' };
const fragment = (id: string, version: number): Fragment => ({ id, xml: `<entry>${id} ${version}</entry>`, line: 1, column: 1 });
const digestOf = ({ xml }: Fragment): string => createHash('sha256').update(xml).digest('base64url');

/** A sender, the titles of what it sends, and a way to let mergers take a job. */
function senderThatKnows(known: readonly Fragment[], limits = { items: 100, characters: 10_000, backlog: 100 }) {
  const sent: string[][] = [];
  const waits = { backlog: 0, alive: 0 };
  const sender = new BatchSender({
    store: { items: { known: async (_collection: string, sources: readonly { id: string; digest: string }[]) => (
      new Set(sources.filter((source) => known.some((one) => one.id === source.id && digestOf(one) === source.digest)).map(({ id }) => id))
    ) } as unknown as BatchSenderStore },
    queue: {
      send: async (jobs: readonly Job[]) => {
        waits.backlog += jobs.length;
        for (const { queue, data } of jobs) if (queue === 'merge') sent.push(data.fragments.map(({ xml }) => xml.replace(/<\/?entry>/g, '')));
      },
      backlog: async () => waits.backlog,
    },
    clock: { now: () => new Date(0), wait: async () => void (waits.backlog -= 0.5) },
    stayAlive: async () => void (waits.alive += 1),
  }, job, limits);
  return { sender, sent, waits };
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
});

test('what the partial feed has brought is not sent again from the complete one', async () => {
  const { sender, sent } = senderThatKnows([]);
  await sender.take([fragment('a', 2)]);
  await sender.beginCompleteFeed();
  await sender.take([fragment('a', 2), fragment('b', 1)]);
  await sender.flush();
  expect(sent).toEqual([['a 2'], ['b 1']]);
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
