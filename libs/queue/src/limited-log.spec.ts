import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { LimitedLog } from './limited-log.ts';

const lines: string[] = [];
let log: LimitedLog;
beforeEach(() => {
  lines.length = 0;
  jest.useFakeTimers();
  const write = (line: unknown): void => void lines.push(String(line));
  log = new LimitedLog({ log: write, warn: write });
});
afterEach(() => {
  jest.useRealTimers();
});

test('a cause is written at once, and then once a minute with how many lines were left out', () => {
  for (let count = 0; count < 100; count += 1) log.warn('merge', `MOVED ${count} 127.0.0.1:7000`);
  expect(lines).toEqual(['merge: MOVED 0 127.0.0.1:7000']);
  jest.advanceTimersByTime(59_999);
  log.warn('merge', 'MOVED 1 127.0.0.1:7000');
  expect(lines).toHaveLength(1);
  jest.advanceTimersByTime(1);
  log.warn('merge', 'MOVED 2 127.0.0.1:7000');
  expect(lines[1]).toBe('merge: MOVED 2 127.0.0.1:7000 (100 more since the last line about this)');
});

test('other causes are written at once', () => {
  log.warn('merge', 'READONLY no writes');
  log.warn('fetch', 'READONLY no writes');
  log.warn('merge', 'MISCONF disk is full');
  log.warn('merge', 'ERR unknown command');
  log.warn('merge', 'ERR syntax error');
  log.log('merge', 'READONLY no more');
  expect(lines).toHaveLength(6);
});

test('of endless causes only the latest are remembered', () => {
  const name = (count: number): string => String.fromCodePoint(0x4e00 + count);
  for (let count = 0; count < 200; count += 1) log.warn('merge', name(count));
  log.warn('merge', name(0));
  log.warn('merge', name(199));
  expect(lines).toHaveLength(201);
});
