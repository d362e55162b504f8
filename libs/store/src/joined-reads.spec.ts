import { expect, test } from '@jest/globals';
import { JoinedReads } from './joined-reads.ts';

/** Queries that are answered by hand, in the order in which they were sent. */
function byHand() {
  const sent: { readonly ids: readonly string[]; readonly answer: (rows: Row[] | Error) => void }[] = [];
  const reads = new JoinedReads<string, Row>(
    (ids) =>
      new Promise((resolve, reject) => {
        const answer = (rows: Row[] | Error): void => (rows instanceof Error ? reject(rows) : resolve(rows));
        sent.push({ ids, answer });
      }),
  );
  return { reads, sent };
}

interface Row {
  readonly _id: string;
  readonly version?: number;
}

/** Waits until what was requested in this turn of the event loop, or waits for it, was sent. */
const turn = (): Promise<void> => new Promise((next) => void setImmediate(() => setImmediate(next)));

test('what is requested together is one query, and each gets its own row', async () => {
  const { reads, sent } = byHand();
  const wanted = ['a', 'b', 'a', 'c'].map((id) => reads.read(id));
  await turn();
  expect(sent.map(({ ids }) => ids)).toEqual([['a', 'b', 'c']]);
  sent[0]?.answer([{ _id: 'b' }, { _id: 'a' }]);
  expect(await Promise.all(wanted)).toEqual([{ _id: 'a' }, { _id: 'b' }, { _id: 'a' }, undefined]);
});

test('a read that is requested during a query is not answered by it', async () => {
  const { reads, sent } = byHand();
  const first = reads.read('a');
  await turn();
  const second = reads.read('a');
  const third = reads.read('b');
  await turn();
  expect(sent).toHaveLength(1);
  sent[0]?.answer([{ _id: 'a', version: 1 }]);
  expect(await first).toEqual({ _id: 'a', version: 1 });
  await turn();
  expect(sent.map(({ ids }) => ids)).toEqual([['a'], ['a', 'b']]);
  sent[1]?.answer([{ _id: 'a', version: 2 }]);
  expect(await Promise.all([second, third])).toEqual([{ _id: 'a', version: 2 }, undefined]);
});

test('a query that fails fails its reads, and no others', async () => {
  const { reads, sent } = byHand();
  const failed = Promise.allSettled([reads.read('a'), reads.read('b')]);
  await turn();
  const next = reads.read('c');
  sent[0]?.answer(new Error('away'));
  expect((await failed).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  await turn();
  sent[1]?.answer([{ _id: 'c' }]);
  expect(await next).toEqual({ _id: 'c' });
});
