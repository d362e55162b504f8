import { describe, expect, test } from '@jest/globals';
import { publishBlock } from '../../support/published-blocks.ts';
import type { OpenFixture } from './fixture.ts';
import { useStore } from './fixture.ts';
import { block, notice, second, treeProgress } from './samples.ts';

/** What every outbox of subscription events does. */
export function describeNoticeStore(name: string, open: OpenFixture): void {
  describe(`Notices in ${name}`, () => {
    const under = useStore(open);

    test('pending notices come oldest first, at most as many as requested', async () => {
      const { store, key } = under;
      for (const [id, at] of [
        ['b', 2],
        ['a', 3],
        ['c', 1],
      ] as const)
        await store.notices.add(notice(key, id, second(at)));
      expect(await store.notices.pending(key, 10)).toEqual([
        notice(key, 'c', second(1)),
        notice(key, 'b', second(2)),
        notice(key, 'a', second(3)),
      ]);
      expect((await store.notices.pending(key, 1)).map(({ id }) => id)).toEqual(['c']);
    });

    test('a notice that exists is left alone, also when it is added many times at once', async () => {
      const { store, key } = under;
      await store.notices.add(notice(key, 'a', second(1)));
      await Promise.all(
        [2, 3, 4].map((at) => store.notices.add({ ...notice(key, 'a', second(at)), type: 'failed' })),
      );
      expect(await store.notices.pending(key, 10)).toEqual([notice(key, 'a', second(1))]);
    });

    test('a notice of a resync says how many items were discarded', async () => {
      const { store, key } = under;
      const resynced = { ...notice(key, 'a'), type: 'resynced', discarded: 3 } as const;
      await store.notices.add(resynced);
      expect(await store.notices.pending(key, 10)).toEqual([resynced]);
    });

    test('a notice of an identifier that is not unique has it', async () => {
      const { store, key } = under;
      const notUnique = { ...notice(key, 'a'), type: 'endpoint-not-unique', endpoint: '$here.a' } as const;
      await store.notices.add(notUnique);
      expect(await store.notices.pending(key, 10)).toEqual([notUnique]);
    });

    test('a notice of progress says how far the walk is', async () => {
      const { store, key } = under;
      const progress = { ...notice(key, 'a'), type: 'progress', progress: treeProgress(3) } as const;
      await store.notices.add(progress);
      expect(await store.notices.pending(key, 10)).toEqual([progress]);
    });

    test('a notice that became an event is not added once more', async () => {
      const { store, key } = under;
      await store.notices.add(notice(key, 'a'));
      await publishBlock(store, { ...block(key, 1, 1), notices: ['a'], at: new Date() });
      await store.notices.add({ ...notice(key, 'a'), type: 'resynced', discarded: 0 });
      await store.notices.add(notice(key, 'b'));
      expect(await store.notices.pending(key, 10)).toEqual([notice(key, 'b')]);
    });

    test('a collection is pending while it has notices', async () => {
      const { store, key } = under;
      await store.notices.add(notice(key, 'a'));
      await store.notices.add(notice(key, 'b'));
      expect(await store.notices.collectionsPending()).toEqual([key]);
      await publishBlock(store, { ...block(key, 1, 1), notices: ['a', 'none'] });
      expect((await store.notices.pending(key, 10)).map(({ id }) => id)).toEqual(['b']);
      await publishBlock(store, { ...block(key, 2, 1), notices: ['b'] });
      expect(await store.notices.collectionsPending()).toEqual([]);
    });
  });
}
