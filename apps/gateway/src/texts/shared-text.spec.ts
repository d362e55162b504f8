import { expect, test } from '@jest/globals';
import { BoundedReads } from '../requests/bounded-reads.ts';
import { SharedText, textReadOnce } from './shared-text.ts';
import type { TextPiece } from './text-piece.ts';

/** More than a part has. */
const pieceLength = 200_000;
const pieceCount = 8;

/** A text of pieces that are parts of their own, what was read of it, and the memory for it. */
function sample(bytes: number, idle = 0) {
  const letters = Array.from({ length: pieceCount }, (_, place) => String.fromCharCode(97 + place));
  const made: number[] = [];
  async function* from(first: number): AsyncGenerator<TextPiece> {
    for (let place = first; place < pieceCount; place += 1) {
      made.push(place);
      const next = { key: place + 1, read: () => from(place + 1) };
      yield { text: (letters[place] ?? '').repeat(pieceLength), next };
    }
  }
  const reads = new BoundedReads({ parallel: 1, bytes, idle, wait: 0 });
  const whole = letters.map((letter) => letter.repeat(pieceLength)).join('');
  return { text: new SharedText(reads, () => from(0)), reads, made, letters, whole };
}

/** Reads to the end. */
async function rest(pieces: AsyncIterator<Uint8Array>): Promise<string> {
  let read = '';
  for (;;) {
    const { done, value } = await pieces.next();
    if (done === true) return read;
    read += Buffer.from(value).toString();
  }
}

test('readers at the same time have a text made once, and get the same bytes', async () => {
  const { text, reads, made, whole } = sample(10_000_000);
  const readers = Array.from({ length: 20 }, () => text.read());
  expect(new Set(await Promise.all(readers.map(rest)))).toEqual(new Set([whole]));
  expect(made).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  expect(reads.bytes).toBe(0);
});

test('a text is made again for whoever begins once nobody reads it any more', async () => {
  const { text, made, whole } = sample(10_000_000);
  for (let count = 0; count < 2; count += 1) expect(await rest(text.read())).toBe(whole);
  expect(made).toHaveLength(2 * pieceCount);
});

test('a reader that stalls holds up no other and no bytes, and goes on where it was', async () => {
  const { text, reads, made, whole } = sample(2 * pieceLength);
  const stalled = Array.from({ length: 50 }, () => text.read());
  const begun = await Promise.all(stalled.map(async (reader) => (await reader.next()).value));
  expect(await rest(text.read())).toBe(whole);
  expect(made).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  expect(reads.bytes).toBeLessThanOrEqual(3 * pieceLength);
  const ends = await Promise.all(stalled.map(rest));
  for (const [place, end] of ends.entries())
    expect(Buffer.from(begun[place] ?? []).toString() + end === whole).toBe(true);
  // They read the same parts, made once more for all of them.
  expect(made).toHaveLength(2 * pieceCount);
  expect(reads.bytes).toBe(0);
});

test('a reader in the middle of an item that changes once it is dropped is cut off', async () => {
  const { text, letters } = sample(pieceLength);
  const [slow, later] = [text.read(), text.read()];
  await slow.next();
  letters[0] = 'z';
  await rest(text.read());
  await expect(rest(slow)).rejects.toThrow('has changed');
  expect((await rest(later)).slice(0, pieceLength)).toBe('z'.repeat(pieceLength));
});

test('a text that can be read only once is cut off for a reader whose memory others need', async () => {
  const { reads, text, whole } = sample(pieceLength);
  async function* long(): AsyncGenerator<string> {
    for (let count = 0; count < 3; count += 1) yield 'x'.repeat(pieceLength);
  }
  expect(await rest(textReadOnce(reads, long()).read())).toHaveLength(3 * pieceLength);
  const slow = textReadOnce(reads, long()).read();
  await slow.next();
  expect(await rest(text.read())).toBe(whole);
  await expect(rest(slow)).rejects.toThrow('too slowly');
  expect(reads.bytes).toBe(0);
});

test('no part is made while the memory is with clients that are reading', async () => {
  const { text, reads, whole } = sample(pieceLength, 3_600_000);
  const reader = text.read();
  await reader.next();
  const other = new SharedText(reads, async function* () {
    yield { text: 'other' };
  });
  await expect(rest(other.read())).rejects.toMatchObject({ status: 503, rule: 'too-many-readers' });
  expect((await rest(reader)).length).toBeGreaterThan(whole.length - pieceLength);
  expect(await rest(other.read())).toBe('other');
});

test('an error of the source is for those that wait, and the next one tries again', async () => {
  let isAway = true;
  const reads = new BoundedReads({ parallel: 1, bytes: 1000, idle: 0, wait: 0 });
  const text = new SharedText(reads, async function* () {
    if (isAway) throw new Error('away');
    yield { text: 'there' };
  });
  const results = await Promise.allSettled([text.read(), text.read()].map(rest));
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  isAway = false;
  expect(await rest(text.read())).toBe('there');
});

test('a source that does not go on from a place is an error', async () => {
  const reads = new BoundedReads({ parallel: 1, bytes: 1000, idle: 0, wait: 0 });
  async function* standing(): AsyncGenerator<TextPiece> {
    yield { text: 'x'.repeat(pieceLength), next: { key: 1, read: standing } };
  }
  await expect(rest(new SharedText(reads, standing).read())).rejects.toThrow('does not go on');
});
