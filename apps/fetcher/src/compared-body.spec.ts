import { createHash } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { changedBody } from './compared-body.ts';

const pieces = ['one ', 'two ', 'three'].map((text) => new TextEncoder().encode(text));
const digest = createHash('sha256').update('one two three').digest('base64url');

async function* arriving(): AsyncGenerator<Uint8Array> {
  yield* pieces;
}

async function textOf(body: AsyncIterable<Uint8Array> | undefined): Promise<string | undefined> {
  if (body === undefined) return undefined;
  const read: Uint8Array[] = [];
  for await (const piece of body) read.push(piece);
  return Buffer.concat(read).toString();
}

test.each([
  ['the same as the last one is not handed on', digest, 13, undefined],
  ['another than the last one is handed on whole', 'other', 13, 'one two three'],
  ['that is the first one is handed on', undefined, 13, 'one two three'],
  ['longer than may be held is handed on, also if it is the same', digest, 12, 'one two three'],
])('a body %s', async (_what, former, limit, text) => {
  expect(await textOf(await changedBody(arriving(), former, limit, async () => {}))).toBe(text);
});

test('a slow body keeps its lease', async () => {
  let beats = 0;
  await changedBody(arriving(), digest, 100, async () => void (beats += 1));
  expect(beats).toBe(3);
});
