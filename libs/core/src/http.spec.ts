import { expect, test } from '@jest/globals';
import { FetchError } from './http.ts';

test('the message of a failed fetch, which is kept, has a length that can be kept', () => {
  expect(new FetchError('connection', 'x'.repeat(4000)).message).toBe('x'.repeat(4000));
  expect(new FetchError('connection', 'x'.repeat(1_000_000)).message).toBe(`${'x'.repeat(4000)}…`);
});
