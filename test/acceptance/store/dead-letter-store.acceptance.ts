import { describe, expect, test } from '@jest/globals';
import type { DeadLetter } from '#ports';
import type { OpenFixture } from './fixture.ts';
import { useStore } from './fixture.ts';
import { deadLetter, second } from './samples.ts';

/** What every store of dead letters does. */
export function describeDeadLetterStore(name: string, open: OpenFixture): void {
  describe(`Dead letters in ${name}`, () => {
    const under = useStore(open);

    test('a letter is found as it was added, until it is removed', async () => {
      const { store, name } = under;
      await store.deadLetters.add([deadLetter(name, 'l1'), deadLetter(name, 'l2')]);
      expect(await store.deadLetters.find('l1')).toEqual(deadLetter(name, 'l1'));
      expect(await store.deadLetters.remove('l1')).toBe(true);
      expect(await store.deadLetters.find('l1')).toBeUndefined();
      expect(await store.deadLetters.remove('l1')).toBe(false);
      expect(await store.deadLetters.find('l2')).toBeDefined();
    });

    test('a repeated delivery adds nothing', async () => {
      const { store, name } = under;
      await store.deadLetters.add([deadLetter(name, 'l1')]);
      await Promise.all([1, 2, 3].map(() => store.deadLetters.add([{ ...deadLetter(name, 'l1'), at: second(9) }, deadLetter(name, 'l2')])));
      await store.deadLetters.add([]);
      expect(await store.deadLetters.list({ limit: 10 })).toEqual([deadLetter(name, 'l1'), deadLetter(name, 'l2')]);
    });

    test('a command is kept as it came, whatever it holds, also where it named no collection', async () => {
      const { store } = under;
      let deep: unknown = 1;
      for (let depth = 0; depth < 500; depth += 1) deep = { deep };
      const data: unknown = { ...JSON.parse('{"__proto__": 1, "$where": "x", "a.b": {"_bsontype": "ObjectId"}, "nul\\u0000": null}'), deep };
      const letter: DeadLetter = { id: 'command 1', collection: '', kind: 'command', command: { name: '$edit', data }, breaches: [], at: second(0) };
      await store.deadLetters.add([letter]);
      const found = await store.deadLetters.find('command 1');
      expect(JSON.stringify(found?.command)).toBe(JSON.stringify(letter.command));
      expect((await store.deadLetters.list({ collection: '', limit: 10 })).map(({ id }) => id)).toEqual(['command 1']);
      expect(await store.deadLetters.remove('command 1')).toBe(true);
    });

    test('lists are in ascending order of id, of one collection or of all, page after page', async () => {
      const { store, name } = under;
      const other = `${name}-x`;
      try {
        await store.deadLetters.add([deadLetter(name, 'c'), deadLetter(other, 'b'), deadLetter(name, 'a'), deadLetter(name, 'd')]);
        const ids = async (page: { collection?: string; after?: string; limit: number }): Promise<string[]> =>
          (await store.deadLetters.list(page)).map(({ id }) => id);
        expect(await ids({ limit: 3 })).toEqual(['a', 'b', 'c']);
        expect(await ids({ limit: 3, after: 'c' })).toEqual(['d']);
        expect(await ids({ collection: name, limit: 2 })).toEqual(['a', 'c']);
        expect(await ids({ collection: name, limit: 2, after: 'c' })).toEqual(['d']);
      } finally {
        await store.collections.remove(other);
      }
    });
  });
}
