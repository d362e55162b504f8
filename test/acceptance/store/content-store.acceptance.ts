import { createHash, randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { describe, expect, test } from '@jest/globals';
import { collectionKey, ContentError } from '#core';
import type { Content } from '#core';
import type { OpenFixture } from './fixture.ts';
import { removeAll, useStore } from './fixture.ts';
import { collection, second } from './samples.ts';

/** What every store of contents does. */
export function describeContentStore(name: string, open: OpenFixture): void {
  describe(`Contents in ${name}`, () => {
    const under = useStore(open);

    /** Writes a text as one piece. */
    function keep(text: string, details: { in?: string; type?: string; at?: number } = {}): Promise<Content> {
      const { in: collection = under.key, type, at = 0 } = details;
      return under.store.contents.write(collectionKey(collection), body(text), {
        ...(type !== undefined && { type }),
        at: second(at),
      });
    }

    async function read(digest: string, first?: number, last?: number): Promise<string> {
      const range = first === undefined || last === undefined ? undefined : { first, last };
      return (await buffer(under.store.contents.read(under.key, digest, range))).toString();
    }

    async function unreferencedSince(digest: string): Promise<Date | undefined> {
      return (await under.store.contents.load(under.key, [digest])).get(digest)?.unreferencedSince;
    }

    test('what is written is known by the digest of its bytes, and read again', async () => {
      const { store, key } = under;
      const content = await store.contents.write(key, body('Some ', '', 'bytes'), {
        type: 'text/plain; charset=utf-8',
        at: second(1),
      });
      expect(content).toEqual({
        collection: key,
        digest: sha256('Some bytes'),
        length: 10,
        type: 'text/plain; charset=utf-8',
        createdAt: second(1),
      });
      expect(await read(content.digest)).toBe('Some bytes');
      expect(await store.contents.load(key, [content.digest, sha256('other')])).toEqual(
        new Map([[content.digest, content]]),
      );
      expect(await store.contents.stored(key, [content.digest, sha256('other')])).toEqual(
        new Set([content.digest]),
      );
      expect(await store.contents.stored(collectionKey(`${key}2`), [content.digest])).toEqual(new Set());
    });

    test('a content without a type, and one without bytes, are contents', async () => {
      const { store, key } = under;
      const nothing = await store.contents.write(key, body(), { at: second(1) });
      expect(nothing).toStrictEqual({
        collection: key,
        digest: sha256(''),
        length: 0,
        createdAt: second(1),
      });
      expect((await store.contents.load(key, [nothing.digest])).get(nothing.digest)).toStrictEqual(nothing);
      expect(await read(nothing.digest)).toBe('');
    });

    test('a range is read to its last byte, and no further', async () => {
      const { digest } = await keep('0123456789');
      const ranges = [
        [0, 9],
        [0, 0],
        [9, 9],
        [3, 6],
      ] as const;
      expect(await Promise.all(ranges.map(([first, last]) => read(digest, first, last)))).toEqual([
        '0123456789',
        '0',
        '9',
        '3456',
      ]);
    });

    test('a large content keeps every byte, whatever the pieces are that it comes in', async () => {
      const { store, key } = under;
      const bytes = randomBytes(5 * 1024 * 1024 + 3);
      const pieces = [
        bytes.subarray(0, 1),
        bytes.subarray(1, 400_000),
        bytes.subarray(400_000, 3_000_000),
        bytes.subarray(3_000_000),
      ];
      const { digest, length } = await store.contents.write(key, body(...pieces), {
        at: second(0),
      });
      expect({ digest, length }).toEqual({ digest: sha256(bytes), length: bytes.length });
      expect(sha256(await buffer(store.contents.read(key, digest)))).toBe(digest);
    });

    test('any range of a large content is read', async () => {
      const { store, key } = under;
      const bytes = randomBytes(2_000_000);
      const { digest } = await store.contents.write(key, body(bytes), { at: second(0) });
      const chunk = 255 * 1024;
      const ranges = [
        [0, 0],
        [chunk - 1, chunk],
        [chunk, 2 * chunk - 1],
        [2 * chunk, 2 * chunk],
        [300_000, 1_700_000],
        [1_999_999, 1_999_999],
        [1, 1_999_999],
      ] as const;
      for (const [first, last] of ranges) {
        expect(sha256(await buffer(store.contents.read(key, digest, { first, last })))).toBe(
          sha256(bytes.subarray(first, last + 1)),
        );
      }
    });

    test('reading may stop before the end', async () => {
      const { store, key } = under;
      const { digest } = await store.contents.write(key, body(randomBytes(5_000_000)), {
        at: second(0),
      });
      for await (const piece of store.contents.read(key, digest)) {
        expect(piece.length).toBeGreaterThan(0);
        break;
      }
      expect(await store.contents.remove(key, digest)).toBe(true);
    });

    test("what is missing can't be read", async () => {
      const reading = read(sha256('nothing'));
      await expect(reading).rejects.toThrow(ContentError);
      await expect(reading).rejects.toMatchObject({ problem: 'missing', digest: sha256('nothing') });
    });

    test('the same bytes are kept once, with the type that was said first', async () => {
      const { store, key } = under;
      await keep('same', { at: 1 });
      expect(await keep('same', { at: 2, type: '$type' })).toEqual({
        collection: key,
        digest: sha256('same'),
        length: 4,
        type: '$type',
        createdAt: second(1),
      });
      expect(await keep('same', { at: 3, type: 'image/png' })).toMatchObject({
        type: '$type',
        createdAt: second(1),
      });
      expect(await store.contents.list(key, { limit: 10 })).toHaveLength(1);
      expect(await read(sha256('same'))).toBe('same');
    });

    test('the same bytes written many times at once are kept once', async () => {
      const { store, key } = under;
      const bytes = randomBytes(600_000);
      const written = await Promise.all(
        [1, 2, 3, 4].map(() => store.contents.write(key, body(bytes), { at: second(1) })),
      );
      const [first] = written;
      expect(written).toEqual([first, first, first, first]);
      expect(await store.contents.list(key, { limit: 10 })).toEqual([first]);
      expect(sha256(await buffer(store.contents.read(key, sha256(bytes))))).toBe(sha256(bytes));
      expect(await store.contents.removeIncomplete(second(1000))).toBe(0);
    });

    test('writing bytes that are there counts as touching them', async () => {
      const { store, key } = under;
      const { digest } = await keep('again');
      await store.contents.markUnreferenced(key, [digest], second(1));
      expect(await keep('again')).toStrictEqual({
        collection: key,
        digest,
        length: 5,
        createdAt: second(0),
      });
      expect(await store.contents.removeUnreferenced(key, [digest], second(100))).toEqual([]);
    });

    test('a body that throws leaves nothing, and its error is thrown on', async () => {
      const { store, key } = under;
      async function* broken(): AsyncGenerator<Uint8Array> {
        yield randomBytes(700_000);
        throw new RangeError('The connection broke.');
      }
      await expect(store.contents.write(key, broken(), { at: second(0) })).rejects.toThrow(
        new RangeError('The connection broke.'),
      );
      expect(await store.contents.list(key, { limit: 10 })).toEqual([]);
      expect(await store.contents.removeIncomplete(second(1000))).toBe(0);
    });

    test('a content is missing until all of its bytes are there; a slow write is not cut short', async () => {
      const { store, key } = under;
      const bytes = randomBytes(700_000);
      async function* slow(): AsyncGenerator<Uint8Array> {
        yield bytes.subarray(0, 600_000);
        expect(await store.contents.list(key, { limit: 10 })).toEqual([]);
        expect(await store.contents.removeIncomplete(second(10))).toBe(0);
        yield bytes.subarray(600_000);
      }
      const { digest } = await store.contents.write(key, slow(), { at: second(10) });
      expect(sha256(await buffer(store.contents.read(key, digest)))).toBe(sha256(bytes));
    });

    test('contents are listed by digest, page after page', async () => {
      const { store, key } = under;
      const digests = (await Promise.all(['a', 'b', 'c', 'd', 'e'].map((text) => keep(text))))
        .map(({ digest }) => digest)
        .sort();
      const first = await store.contents.list(key, { limit: 2 });
      expect(first.map(({ digest }) => digest)).toEqual(digests.slice(0, 2));
      const rest = await store.contents.list(key, { after: digests[1] ?? '', limit: 10 });
      expect(rest.map(({ digest }) => digest)).toEqual(digests.slice(2));
      expect(await store.contents.list(key, { after: digests[4] ?? '', limit: 10 })).toEqual([]);
    });

    test('since when a content is unreferenced is the earliest time, until it is touched', async () => {
      const { store, key } = under;
      const { digest } = await keep('a');
      expect(await unreferencedSince(digest)).toBeUndefined();
      for (const at of [5, 7, 3])
        await store.contents.markUnreferenced(key, [digest, sha256('none')], second(at));
      expect(await unreferencedSince(digest)).toEqual(second(3));
      expect(await store.contents.touch(key, [digest, sha256('none')])).toEqual(new Set([digest]));
      expect(await unreferencedSince(digest)).toBeUndefined();
      await store.contents.markUnreferenced(key, [digest], second(9));
      expect(await unreferencedSince(digest)).toEqual(second(9));
    });

    test('only what has been unreferenced since before a time is removed', async () => {
      const { store, key } = under;
      const [old, recent, referred, unasked] = (await Promise.all(
        ['old', 'recent', 'referred', 'unasked'].map(async (text) => (await keep(text)).digest),
      )) as [string, string, string, string];
      await store.contents.markUnreferenced(key, [old, unasked], second(1));
      await store.contents.markUnreferenced(key, [recent], second(2));
      expect(
        await store.contents.removeUnreferenced(key, [old, recent, referred, sha256('none')], second(2)),
      ).toEqual([old]);
      expect(new Set((await store.contents.load(key, [old, recent, referred, unasked])).keys())).toEqual(
        new Set([recent, referred, unasked]),
      );
      await expect(read(old)).rejects.toThrow(ContentError);
      expect(await store.contents.removeUnreferenced(key, [old], second(100))).toEqual([]);
      expect(await read((await keep('old')).digest)).toBe('old');
    });

    test('a content that is touched while it is removed is gone or whole; a touched one stays', async () => {
      const { store, key } = under;
      const texts = Array.from({ length: 8 }, (_, n) => `file ${n}`);
      // They meet at other moments each time: either is first, the other some turns of the event loop later.
      for (let round = 0; round < 6; round += 1) {
        const digests = (await Promise.all(texts.map((text) => keep(text)))).map(({ digest }) => digest);
        await store.contents.markUnreferenced(key, digests, second(1));
        const remove = () => store.contents.removeUnreferenced(key, digests, second(2));
        const touch = () => store.contents.touch(key, digests);
        const later = async <Result>(work: () => Promise<Result>): Promise<Result> => {
          for (let turn = 0; turn < Math.floor(round / 2); turn += 1) await new Promise(setImmediate);
          return work();
        };
        const both =
          round % 2 === 0 ? ([remove(), later(touch)] as const) : ([later(remove), touch()] as const);
        const [removed, touched] = await Promise.all(both);
        const left = (await store.contents.list(key, { limit: 100 })).map(({ digest }) => digest);
        expect([...removed, ...left].toSorted()).toEqual([...digests].toSorted());
        expect([...touched].toSorted()).toEqual(left);
        for (const digest of left) expect(await read(digest)).toMatch(/^file \d+$/);
      }
    });

    test('any number of digests may be asked about at once', async () => {
      const { store, key } = under;
      const own = (await Promise.all(['a', 'b', 'c'].map((text) => keep(text)))).map(({ digest }) => digest);
      const none = Array.from({ length: 1500 }, (_, n) => sha256(`none ${n}`));
      const digests = [
        ...own.slice(0, 1),
        ...none.slice(0, 1200),
        ...own.slice(1, 2),
        ...none.slice(1200),
        ...own.slice(2),
      ];
      expect(new Set((await store.contents.load(key, digests)).keys())).toEqual(new Set(own));
      expect(await store.contents.touch(key, digests)).toEqual(new Set(own));
      await store.contents.markUnreferenced(key, digests, second(1));
      expect((await store.contents.removeUnreferenced(key, digests, second(2))).sort()).toEqual(
        [...own].sort(),
      );
    });

    test('a content is removed whatever refers to it', async () => {
      const { store, key } = under;
      const { digest } = await keep('a');
      expect(await store.contents.remove(key, digest)).toBe(true);
      expect(await store.contents.remove(key, digest)).toBe(false);
      await expect(read(digest)).rejects.toMatchObject({ problem: 'missing' });
    });

    test("collections know nothing of each other's contents", async () => {
      const { store, key } = under;
      const other = collectionKey(`${key}-other`);
      const { digest } = await keep('shared', { type: 'text/plain' });
      await keep('shared', { in: other });
      await store.contents.markUnreferenced(key, [digest], second(1));
      expect(await store.contents.removeUnreferenced(other, [digest], second(2))).toEqual([]);
      expect(await store.contents.removeUnreferenced(key, [digest], second(2))).toEqual([digest]);
      expect(await store.contents.load(key, [digest])).toEqual(new Map());
      expect((await store.contents.load(other, [digest])).get(digest)).toStrictEqual({
        collection: other,
        digest,
        length: 6,
        createdAt: second(0),
      });
      expect((await buffer(store.contents.read(other, digest))).toString()).toBe('shared');
      await removeAll(store, other);
    });

    test('the collections with contents are known, whether they are there or not', async () => {
      const { store, key } = under;
      const other = collectionKey(`${key}-other`);
      expect(await store.contents.collections()).not.toContain(key);
      await store.collections.create(collection(key));
      for (const text of ['a', 'b']) await keep(text);
      await keep('a', { in: other });
      expect(
        (await store.contents.collections()).filter((found) => found.startsWith(key)).toSorted(),
      ).toEqual([key, other]);
      await removeAll(store, other);
      expect(await store.contents.collections()).not.toContain(other);
    });

    test('a collection that is removed takes its contents along, and their bytes', async () => {
      const { store, key } = under;
      const other = collectionKey(`${key}-other`);
      await store.collections.create(collection(key));
      const { digest } = await keep('mine');
      await keep('mine', { in: other });
      await store.collections.remove(key);
      expect(await store.contents.list(key, { limit: 10 })).toEqual([]);
      await expect(read(digest)).rejects.toMatchObject({ problem: 'missing' });
      expect(await store.contents.removeIncomplete(second(1000))).toBe(0);
      expect((await buffer(store.contents.read(other, digest))).toString()).toBe('mine');
      await removeAll(store, other);
    });
  });
}

/** A body that arrives in these pieces. */
async function* body(...pieces: readonly (string | Uint8Array)[]): AsyncGenerator<Uint8Array> {
  for (const piece of pieces) yield Buffer.from(piece);
}

function sha256(bytes: string | Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
