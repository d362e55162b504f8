import { afterEach, describe, expect, test } from '@jest/globals';
import { createMemoryReplies } from '#in-memory';
import type { Replies } from '#core';
import { openReplies } from '#queue';
import { ownName, redisUrl } from './support/redis.ts';

/** What ends with a test. */
const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

function inRedis(): Replies {
  const replies = openReplies({ redisUrl: redisUrl(), prefix: ownName() });
  ends.push(() => replies.close());
  return replies;
}

describe.each([
  ['in Redis', inRedis],
  ['in memory', createMemoryReplies],
])('replies %s', (_where, open) => {
  test('arrive once, under their name', async () => {
    const replies = open();
    await replies.send('a', { text: '\u00fc' });
    await replies.send('b', [1]);
    expect(await replies.wait('b', 1000)).toEqual([1]);
    expect(await replies.wait('a', 1000)).toEqual({ text: '\u00fc' });
    expect(await replies.wait('a', 1)).toBeUndefined();
  });

  test('that nobody sends are not awaited for longer than said', async () => {
    expect(await open().wait('nobody', 10)).toBeUndefined();
  });
});

test('a reply that is sent while it is awaited arrives', async () => {
  const replies = inRedis();
  const reply = replies.wait('late', 60_000);
  await replies.send('late', 'here');
  expect(await reply).toBe('here');
});
