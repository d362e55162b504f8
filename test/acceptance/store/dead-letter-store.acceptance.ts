import { describe, expect, test } from '@jest/globals';
import { collectionKey, subscriptionId } from '#core';
import type { CollectionKey, DeadLetter, SubscriptionId } from '#core';
import type { OpenFixture } from './fixture.ts';
import { removeAll, useStore } from './fixture.ts';
import { violation, deadLetter, second } from './samples.ts';

const beta = subscriptionId('beta');

/** What every store of dead letters does. */
export function describeDeadLetterStore(name: string, open: OpenFixture): void {
  describe(`Dead letters in ${name}`, () => {
    const under = useStore(open);

    test('a letter is found as it was added, until it is removed', async () => {
      const { store, key } = under;
      await store.deadLetters.add([deadLetter(key, 'l1'), deadLetter(key, 'l2')]);
      expect(await store.deadLetters.find('l1')).toEqual(deadLetter(key, 'l1'));
      expect(await store.deadLetters.remove('l1')).toBe(true);
      expect(await store.deadLetters.find('l1')).toBeUndefined();
      expect(await store.deadLetters.remove('l1')).toBe(false);
      expect(await store.deadLetters.find('l2')).toBeDefined();
    });

    test('a repeated delivery adds nothing', async () => {
      const { store, key } = under;
      await store.deadLetters.add([deadLetter(key, 'l1')]);
      await Promise.all(
        [1, 2, 3].map(() =>
          store.deadLetters.add([{ ...deadLetter(key, 'l1'), at: second(9) }, deadLetter(key, 'l2')]),
        ),
      );
      await store.deadLetters.add([]);
      expect(await store.deadLetters.list({ limit: 10 })).toEqual([
        deadLetter(key, 'l1'),
        deadLetter(key, 'l2'),
      ]);
    });

    test('letters are listed and counted by a rule that was broken', async () => {
      const { store, key } = under;
      const broken = (id: string, subscription: SubscriptionId, ...rules: string[]): DeadLetter => ({
        ...deadLetter(key, id),
        subscription,
        violations: rules.map((rule) => ({ ...violation(1), rule })),
      });
      const letters = [
        broken('l1', subscriptionId('gamma'), 'r1'),
        broken('l2', beta, 'r2'),
        broken('l3', beta, 'r2', 'r1'),
        broken('l4', beta, 'r1'),
      ];
      await store.deadLetters.add([
        ...letters,
        { ...broken('l5', subscriptionId('delta'), 'r1'), collection: collectionKey(`${key}0`) },
      ]);
      expect(
        (await store.deadLetters.list({ collection: key, rule: 'r1', limit: 2 })).map(({ id }) => id),
      ).toEqual(['l1', 'l3']);
      expect(
        (await store.deadLetters.list({ collection: key, rule: 'r1', limit: 2, after: 'l3' })).map(
          ({ id }) => id,
        ),
      ).toEqual(['l4']);
      expect((await store.deadLetters.list({ rule: 'r1', limit: 9 })).map(({ id }) => id)).toEqual([
        'l1',
        'l3',
        'l4',
        'l5',
      ]);
      const ofCollection = [
        { collection: key, subscription: 'beta', items: 2 },
        { collection: key, subscription: 'gamma', items: 1 },
      ];
      expect(await store.deadLetters.rejected('r1', key)).toEqual(ofCollection);
      expect(await store.deadLetters.rejected('r1')).toEqual([
        ...ofCollection,
        { collection: `${key}0`, subscription: 'delta', items: 1 },
      ]);
      expect(await store.deadLetters.rejected('r3')).toEqual([]);
      await store.deadLetters.remove('l5');
    });

    test('a command is kept as it came, whatever it holds, even if it named no collection', async () => {
      const { store } = under;
      let deep: unknown = 1;
      for (let depth = 0; depth < 500; depth += 1) deep = { deep };
      const data: unknown = {
        ...JSON.parse(
          '{"__proto__": 1, "$where": "x", "a.b": {"_bsontype": "ObjectId"}, "nul\\u0000": null}',
        ),
        deep,
      };
      const letter: DeadLetter = {
        id: 'command 1',
        collection: collectionKey(''),
        kind: 'command',
        command: { name: '$edit', data },
        violations: [],
        at: second(0),
      };
      await store.deadLetters.add([letter]);
      const found = await store.deadLetters.find('command 1');
      expect(JSON.stringify(found?.command)).toBe(JSON.stringify(letter.command));
      expect(
        (await store.deadLetters.list({ collection: collectionKey(''), limit: 10 })).map(({ id }) => id),
      ).toEqual(['command 1']);
      expect(await store.deadLetters.remove('command 1')).toBe(true);
    });

    test('a letter of the longest item that a feed may have is kept whole', async () => {
      const { store, key } = under;
      const fragment = { xml: '\u4e16'.repeat(4_194_304), line: 1, column: 1 };
      await store.deadLetters.add([{ ...deadLetter(key, 'l1'), fragment }]);
      const found = await store.deadLetters.find('l1');
      expect(found?.fragment?.xml.length).toBe(fragment.xml.length);
      expect(found?.isPartial).toBeUndefined();
    });

    test('a letter that is too large loses what it is about, and its neighbours are kept', async () => {
      const { store, key } = under;
      const fragment = { xml: 'x'.repeat(15_728_640), line: 7, column: 2, id: 'milk' };
      const command = { name: 'edit', data: { collection: key, item: { title: 'x'.repeat(15_728_640) } } };
      await store.deadLetters.add([
        { ...deadLetter(key, 'l1'), fragment },
        deadLetter(key, 'l2'),
        { ...deadLetter(key, 'l3'), kind: 'command', fragment: undefined, command },
      ]);
      expect(await store.deadLetters.find('l1')).toEqual({
        ...deadLetter(key, 'l1'),
        isPartial: true,
        fragment: { ...fragment, xml: '' },
      });
      expect(await store.deadLetters.find('l2')).toEqual(deadLetter(key, 'l2'));
      expect(await store.deadLetters.find('l3')).toMatchObject({
        isPartial: true,
        command: { name: 'edit', data: null },
      });
    });

    test('of very many violations the first are kept, errors before warnings', async () => {
      const { store, key } = under;
      const warnings = Array.from({ length: 500 }, (_, line) => ({
        ...violation(line + 1),
        severity: 'warning' as const,
      }));
      const errors = [501, 502].map((line) => ({ ...violation(line), severity: 'error' as const }));
      await store.deadLetters.add([{ ...deadLetter(key, 'l1'), violations: [...warnings, ...errors] }]);
      expect((await store.deadLetters.find('l1'))?.violations).toEqual([...errors, ...warnings.slice(0, 98)]);
    });

    test('lists are in ascending order of id, of one collection or of all, page after page', async () => {
      const { store, key } = under;
      const other = collectionKey(`${key}-x`);
      try {
        await store.deadLetters.add([
          deadLetter(key, 'c'),
          deadLetter(other, 'b'),
          deadLetter(key, 'a'),
          deadLetter(key, 'd'),
        ]);
        const ids = async (page: {
          collection?: CollectionKey;
          after?: string;
          limit: number;
        }): Promise<string[]> => (await store.deadLetters.list(page)).map(({ id }) => id);
        expect(await ids({ limit: 3 })).toEqual(['a', 'b', 'c']);
        expect(await ids({ limit: 3, after: 'c' })).toEqual(['d']);
        expect(await ids({ collection: key, limit: 2 })).toEqual(['a', 'c']);
        expect(await ids({ collection: key, limit: 2, after: 'c' })).toEqual(['d']);
      } finally {
        await removeAll(store, other);
      }
    });
  });
}
