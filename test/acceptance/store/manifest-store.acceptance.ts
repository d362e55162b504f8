import { describe, expect, test } from '@jest/globals';
import { reportedViolations } from '#core';
import type { OpenFixture } from './fixture.ts';
import { useStore } from './fixture.ts';
import { violation, feedSummary, manifest, seal, second, treeProgress } from './samples.ts';

/** What every store of manifests does. */
export function describeManifestStore(name: string, open: OpenFixture): void {
  describe(`Manifests in ${name}`, () => {
    const under = useStore(open);

    test('an opened manifest is found, and opening it again leaves it as it is', async () => {
      const { store, key } = under;
      await store.manifests.open(manifest(key, 'm1'));
      expect(await store.manifests.find(key, 'm1')).toEqual(manifest(key, 'm1'));
      const marked = await store.manifests.done(key, 'm1', 0, { rejected: 0 }, second(1));
      await store.manifests.open(manifest(key, 'm1'));
      expect(await store.manifests.find(key, 'm1')).toEqual(marked);
    });

    test('sealing returns the manifest with its seal and touches it', async () => {
      const { store, key } = under;
      await store.manifests.open(manifest(key, 'm1'));
      const sealed = await store.manifests.seal(key, 'm1', seal(2), second(5));
      expect(sealed).toEqual({ ...manifest(key, 'm1'), seal: seal(2), touchedAt: second(5) });
      expect(await store.manifests.find(key, 'm1')).toEqual(sealed);
    });

    test('the seal keeps what the head of the feed says', async () => {
      const { store, key } = under;
      await store.manifests.open(manifest(key, 'm1'));
      const said = { ...seal(2), feed: feedSummary(), violations: [violation(1)] };
      await store.manifests.seal(key, 'm1', said, second(5));
      expect((await store.manifests.find(key, 'm1'))?.seal).toEqual(said);
    });

    test('the seal keeps how far a walk through a tree came', async () => {
      const { store, key } = under;
      await store.manifests.open(manifest(key, 'm1'));
      await store.manifests.seal(key, 'm1', { ...seal(2), progress: treeProgress(3) }, second(5));
      expect((await store.manifests.find(key, 'm1'))?.seal?.progress).toEqual(treeProgress(3));
    });

    test('touching it says that something is happening, never earlier than before', async () => {
      const { store, key } = under;
      await store.manifests.open(manifest(key, 'm1', second(3)));
      await store.manifests.touch(key, 'm1', second(5));
      await store.manifests.touch(key, 'm1', second(4));
      await store.manifests.touch(key, 'none', second(9));
      expect(await store.manifests.find(key, 'm1')).toEqual({
        ...manifest(key, 'm1', second(3)),
        touchedAt: second(5),
      });
      expect(await store.manifests.find(key, 'none')).toBeUndefined();
      expect(await store.manifests.unfinished(second(5), 10)).toEqual([]);
    });

    test('the items without synchronisation data are counted once a batch', async () => {
      const { store, key } = under;
      await store.manifests.open(manifest(key, 'm1'));
      expect(
        await store.manifests.done(key, 'm1', 0, { rejected: 0, plain: 0 }, second(1)),
      ).not.toHaveProperty('plain');
      for (const batch of [1, 2, 1])
        await store.manifests.done(key, 'm1', batch, { rejected: 0, plain: 3 }, second(2));
      expect(await store.manifests.find(key, 'm1')).toMatchObject({
        done: [0, 1, 2],
        plain: 6,
      });
    });

    test('a batch is marked once however often it is said, its rejected items too', async () => {
      const { store, key } = under;
      await store.manifests.open(manifest(key, 'm1'));
      await store.manifests.done(key, 'm1', 3, { rejected: 2 }, second(5));
      await Promise.all([1, 2, 3].map(() => store.manifests.done(key, 'm1', 0, { rejected: 1 }, second(6))));
      const again = await store.manifests.done(key, 'm1', 3, { rejected: 2 }, second(9));
      expect(again).toEqual({ ...manifest(key, 'm1'), done: [3, 0], rejected: 3, touchedAt: second(6) });
    });

    test('violations are kept in the order they come, once for each batch, the first ones only', async () => {
      const { store, key } = under;
      const violations = Array.from({ length: reportedViolations + 5 }, (_, line) => violation(line + 1));
      await store.manifests.open(manifest(key, 'm1'));
      await store.manifests.done(key, 'm1', 0, { rejected: 0, violations: [] }, second(1));
      expect(await store.manifests.find(key, 'm1')).not.toHaveProperty('violations');
      await store.manifests.done(
        key,
        'm1',
        1,
        { rejected: 0, violations: violations.slice(0, 2) },
        second(2),
      );
      const again = await store.manifests.done(
        key,
        'm1',
        1,
        { rejected: 0, violations: violations.slice(0, 2) },
        second(3),
      );
      expect(again?.violations).toEqual(violations.slice(0, 2));
      const marked = await store.manifests.done(
        key,
        'm1',
        2,
        { rejected: 0, violations: violations.slice(2) },
        second(4),
      );
      expect(marked).toEqual({
        ...manifest(key, 'm1'),
        done: [0, 1, 2],
        violations: violations.slice(0, reportedViolations),
        touchedAt: second(4),
      });
    });

    test('of batches that are marked at once, none is lost', async () => {
      const { store, key } = under;
      await store.manifests.open(manifest(key, 'm1'));
      const batches = Array.from({ length: 20 }, (_, batch) => batch);
      await Promise.all(
        batches.map((batch) => store.manifests.done(key, 'm1', batch, { rejected: 1 }, second(batch))),
      );
      const marked = await store.manifests.find(key, 'm1');
      expect([...(marked?.done ?? [])].sort((one, other) => one - other)).toEqual(batches);
      expect(marked).toMatchObject({ rejected: 20, touchedAt: second(19) });
    });

    test('a manifest that does not exist, or was removed, returns undefined', async () => {
      const { store, key } = under;
      await store.manifests.open(manifest(key, 'm1'));
      await store.manifests.remove(key, 'm1');
      await store.manifests.remove(key, 'm1');
      expect(await store.manifests.seal(key, 'm1', seal(1), second(1))).toBeUndefined();
      expect(await store.manifests.done(key, 'm1', 0, { rejected: 0 }, second(1))).toBeUndefined();
      expect(await store.manifests.find(key, 'm1')).toBeUndefined();
    });

    test(
      'unfinished are the whole ones and those in which nothing has happened for long, the longest ' +
        'quiet first',
      async () => {
        const { store, key } = under;
        await store.manifests.open(manifest(key, 'quiet', second(3)));
        await store.manifests.open(manifest(key, 'long-quiet', second(2)));
        await store.manifests.open(manifest(key, 'in-work', second(1)));
        await store.manifests.done(key, 'in-work', 0, { rejected: 0 }, second(20));
        await store.manifests.open(manifest(key, 'fresh', second(10)));
        await store.manifests.open(manifest(key, 'whole', second(1)));
        await store.manifests.done(key, 'whole', 0, { rejected: 0 }, second(30));
        await store.manifests.seal(key, 'whole', seal(1), second(31));
        await store.manifests.open(manifest(key, 'empty', second(1)));
        await store.manifests.seal(key, 'empty', seal(0), second(32));
        await store.manifests.open(manifest(key, 'half', second(1)));
        await store.manifests.done(key, 'half', 1, { rejected: 0 }, second(30));
        await store.manifests.seal(key, 'half', seal(2), second(31));
        expect((await store.manifests.unfinished(second(10), 10)).map(({ id }) => id)).toEqual([
          'long-quiet',
          'quiet',
          'whole',
          'empty',
        ]);
        expect((await store.manifests.unfinished(second(10), 1)).map(({ id }) => id)).toEqual(['long-quiet']);
      },
    );
  });
}
