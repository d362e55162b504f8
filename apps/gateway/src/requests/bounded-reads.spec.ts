import { expect, test } from '@jest/globals';
import { BoundedReads } from './bounded-reads.ts';

/** Bytes that a client reads, and whether they were dropped. */
function holding(length: number, readers = 1) {
  const held = { length, readers, readAt: 0, isDropped: false, drop: () => void (held.isDropped = true) };
  return held;
}

const read = async (): Promise<string> => 'read';

test('what nobody reads makes room for a read, what is read does not', async () => {
  const reads = new BoundedReads({ parallel: 1, bytes: 100, idle: 3_600_000, wait: 0 });
  const [left, inUse] = [holding(60, 0), holding(60)];
  reads.hold(inUse);
  reads.hold(left);
  expect(await reads.run(read)).toBe('read');
  expect([left.isDropped, inUse.isDropped, reads.bytes]).toEqual([true, false, 60]);
  reads.hold(holding(40));
  await expect(reads.run(read)).rejects.toMatchObject({
    status: 503,
    rule: 'too-many-readers',
    headers: { 'Retry-After': expect.stringMatching(/^\d+$/) },
  });
  reads.release(inUse);
  expect(await reads.run(read)).toBe('read');
});

test('what was read longest ago goes first, and no more than is needed', async () => {
  const reads = new BoundedReads({ parallel: 1, bytes: 100, idle: 0, wait: 0 });
  const held = [holding(50), holding(50), holding(50)];
  for (const each of held) reads.hold(each);
  reads.touch(held[0] ?? holding(0));
  expect(await reads.run(read)).toBe('read');
  expect(held.map(({ isDropped }) => isDropped)).toEqual([false, true, true]);
  expect(reads.bytes).toBe(50);
});

test('a read waits until there is memory', async () => {
  const reads = new BoundedReads({ parallel: 1, bytes: 100, idle: 3_600_000, wait: 3_600_000 });
  const full = holding(100);
  reads.hold(full);
  const waiting = reads.run(read);
  reads.release(full);
  expect(await waiting).toBe('read');
});
