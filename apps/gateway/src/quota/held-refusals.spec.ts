import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { HeldRefusals } from './held-refusals.ts';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

/** Refusals of which is counted, by tenant, how many are sent. */
function underTest() {
  const held = new HeldRefusals(() => performance.now());
  const sent: Record<string, number> = {};
  const send = (tenant: string, count: number): void => {
    for (let place = 0; place < count; place += 1)
      held.send(tenant, () => void (sent[tenant] = (sent[tenant] ?? 0) + 1));
  };
  return { sent, send };
}

test('the first refusals of a tenant in a second are sent at once, and others a second or two later', () => {
  const { sent, send } = underTest();
  send('acme', 10);
  expect(sent).toEqual({ acme: 10 });
  send('acme', 5);
  send('other', 3);
  expect(sent).toEqual({ acme: 10, other: 3 });
  jest.advanceTimersByTime(999);
  expect(sent['acme']).toBe(10);
  jest.advanceTimersByTime(1001);
  expect(sent).toEqual({ acme: 15, other: 3 });
  send('acme', 10);
  expect(sent['acme']).toBe(25);
});

test('so many are held of a tenant, and so many of all; further ones are sent at once', () => {
  const { sent, send } = underTest();
  send('a', 120);
  expect(sent).toEqual({ a: 20 });
  for (const tenant of ['b', 'c', 'd', 'e', 'f']) send(tenant, 110);
  expect(sent).toEqual({ a: 20, b: 10, c: 10, d: 10, e: 10, f: 110 });
  jest.advanceTimersByTime(2000);
  expect(sent).toEqual({ a: 120, b: 110, c: 110, d: 110, e: 110, f: 110 });
});

test('those that come together are sent evenly over a second', () => {
  const { sent, send } = underTest();
  send('a', 110);
  jest.advanceTimersByTime(1000);
  let before = sent['a'] ?? 0;
  expect(before).toBe(10);
  for (let tenth = 0; tenth < 10; tenth += 1) {
    jest.advanceTimersByTime(100);
    const now = sent['a'] ?? 0;
    expect(now - before).toBeGreaterThanOrEqual(9);
    expect(now - before).toBeLessThanOrEqual(11);
    before = now;
  }
  expect(before).toBe(110);
});
