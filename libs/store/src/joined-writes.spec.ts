import { AsyncResource } from 'node:async_hooks';
import { expect, test } from '@jest/globals';
import mongoose from 'mongoose';
import { JoinedWrites } from './joined-writes.ts';
import type { WriteOutcome } from './joined-writes.ts';
import { currentTrace, traceWrites } from './write-trace.ts';

interface Sent {
  readonly writes: readonly string[];
  readonly answer: (outcomes: WriteOutcome[]) => void;
  readonly fail: (error: Error) => void;
}

/** Bulks that are answered by hand, in the order in which they were sent. */
function byHand(limits = { writes: 100, bytes: 1000 }) {
  const sent: Sent[] = [];
  const joined = new JoinedWrites<string>(
    (writes) =>
      new Promise((resolve, reject) => {
        currentTrace()?.begin();
        const end = AsyncResource.bind(() => currentTrace()?.end(true));
        const endWith = (work: () => void): void => {
          end();
          work();
        };
        sent.push({
          writes,
          answer: (outcomes) => endWith(() => resolve(outcomes)),
          fail: (error) => endWith(() => reject(error)),
        });
      }),
    limits,
  );
  // The first character of a write stands for its row.
  const write = (text: string, bytes = 10): Promise<WriteOutcome> =>
    joined.write({ key: text.slice(0, 1), bytes, write: text });
  return { sent, write };
}

/** Waits until what was requested in this turn of the event loop, or waits for it, was sent. */
const turn = (): Promise<void> => new Promise((next) => void setImmediate(() => setImmediate(next)));

test('what is requested together is one bulk, and each learns what came of it', async () => {
  const { write, sent } = byHand();
  const outcomes = ['a', 'b', 'c'].map((text) => write(text));
  await turn();
  expect(sent.map(({ writes }) => writes)).toEqual([['a', 'b', 'c']]);
  sent[0]?.answer(['stored', 'lost', 'failed']);
  expect(await Promise.all(outcomes)).toEqual(['stored', 'lost', 'failed']);
});

test('what is requested during a bulk is the next one', async () => {
  const { write, sent } = byHand();
  const first = write('a');
  await turn();
  const others = [write('b'), write('c')];
  await turn();
  expect(sent).toHaveLength(1);
  sent[0]?.answer(['stored']);
  expect(await first).toBe('stored');
  await turn();
  expect(sent.map(({ writes }) => writes)).toEqual([['a'], ['b', 'c']]);
  sent[1]?.answer(['stored', 'stored']);
  expect(await Promise.all(others)).toEqual(['stored', 'stored']);
});

test('two writes of a row are in two bulks, in their order', async () => {
  const { write, sent } = byHand();
  void ['a1', 'b1', 'a2', 'c1', 'a3'].map((text) => write(text));
  for (let bulk = 0; bulk < 3; bulk += 1) {
    await turn();
    sent[bulk]?.answer(sent[bulk]?.writes.map(() => 'stored') ?? []);
  }
  expect(sent.map(({ writes }) => writes)).toEqual([['a1', 'b1', 'c1'], ['a2'], ['a3']]);
});

test('a bulk is within its limits, except for a single write', async () => {
  const { write, sent } = byHand({ writes: 3, bytes: 100 });
  const sizes = [10, 10, 10, 10, 95, 500, 5];
  void sizes.map((bytes, place) => write(`${place}`, bytes));
  for (let bulk = 0; bulk < 4; bulk += 1) {
    await turn();
    sent[bulk]?.answer(sent[bulk]?.writes.map(() => 'stored') ?? []);
  }
  expect(sent.map(({ writes }) => writes)).toEqual([['0', '1', '2'], ['3', '6'], ['4'], ['5']]);
});

test('an outage leaves the outcome of each write in the bulk unknown, and of none that waited', async () => {
  const { write, sent } = byHand();
  const fates: string[] = [];
  const request = (text: string): Promise<void> =>
    traceWrites(async () => {
      const outcome = await write(text).catch((error: Error) => error.message);
      fates.push(`${text} ${outcome} ${currentTrace()?.mayHaveWritten}`);
    });
  const requests = ['a', 'b'].map(request);
  await turn();
  requests.push(request('c'));
  await turn();
  sent[0]?.fail(new mongoose.mongo.MongoNetworkError('away'));
  await Promise.all(requests);
  expect(fates).toEqual(['a away true', 'b away true', 'c away false']);
  const next = write('d');
  await turn();
  expect(sent.map(({ writes }) => writes)).toEqual([['a', 'b'], ['d']]);
  sent[1]?.answer(['stored']);
  expect(await next).toBe('stored');
});

test('what may be the fault of one write fails each by itself, and none that waited', async () => {
  const { write, sent } = byHand();
  const together = [write('a'), write('b')];
  await turn();
  const next = write('c');
  sent[0]?.fail(new Error('too deep'));
  expect(await Promise.all(together)).toEqual(['failed', 'failed']);
  await turn();
  sent[1]?.fail(new Error('too deep'));
  await expect(next).rejects.toThrow('too deep');
});
