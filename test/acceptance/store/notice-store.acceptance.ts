import { describe, expect, test } from '@jest/globals';
import type { OpenFixture } from './fixture.ts';
import { useStore } from './fixture.ts';
import { notice, second, treeProgress } from './samples.ts';

/** What every outbox of subscription events does. */
export function describeNoticeStore(name: string, open: OpenFixture): void {
  describe(`Notices in ${name}`, () => {
    const under = useStore(open);

    test('pending notices come oldest first, at most as many as requested', async () => {
      const { store, name } = under;
      for (const [id, at] of [
        ['b', 2],
        ['a', 3],
        ['c', 1],
      ] as const)
        await store.notices.add(notice(name, id, second(at)));
      expect(await store.notices.pending(name, 10)).toEqual([
        notice(name, 'c', second(1)),
        notice(name, 'b', second(2)),
        notice(name, 'a', second(3)),
      ]);
      expect((await store.notices.pending(name, 1)).map(({ id }) => id)).toEqual(['c']);
    });

    test('a notice that exists is left alone, also when it is added many times at once', async () => {
      const { store, name } = under;
      await store.notices.add(notice(name, 'a', second(1)));
      await Promise.all(
        [2, 3, 4].map((at) => store.notices.add({ ...notice(name, 'a', second(at)), type: 'failed' })),
      );
      expect(await store.notices.pending(name, 10)).toEqual([notice(name, 'a', second(1))]);
    });

    test('a notice of a resync says how many items were discarded', async () => {
      const { store, name } = under;
      const resynced = { ...notice(name, 'a'), type: 'resynced', discarded: 3 } as const;
      await store.notices.add(resynced);
      expect(await store.notices.pending(name, 10)).toEqual([resynced]);
    });

    test('a notice of an identifier that is not unique has it', async () => {
      const { store, name } = under;
      const notUnique = { ...notice(name, 'a'), type: 'endpoint-not-unique', endpoint: '$here.a' } as const;
      await store.notices.add(notUnique);
      expect(await store.notices.pending(name, 10)).toEqual([notUnique]);
    });

    test('a notice of progress says how far the walk is', async () => {
      const { store, name } = under;
      const progress = { ...notice(name, 'a'), type: 'progress', progress: treeProgress(3) } as const;
      await store.notices.add(progress);
      expect(await store.notices.pending(name, 10)).toEqual([progress]);
    });

    test('a collection is pending while it has notices', async () => {
      const { store, name } = under;
      await store.notices.add(notice(name, 'a'));
      await store.notices.add(notice(name, 'b'));
      expect(await store.notices.collectionsPending()).toEqual([name]);
      await store.notices.remove(name, ['a', 'none']);
      expect((await store.notices.pending(name, 10)).map(({ id }) => id)).toEqual(['b']);
      await store.notices.remove(name, ['b']);
      expect(await store.notices.collectionsPending()).toEqual([]);
    });
  });
}
