import { sseDialect, arrange, sseItemJson } from '#sse';
import { expect, test } from '@jest/globals';
import { openOutline, outlineEnd, payloadFromFields } from '#xml';
import { createMemoryStore, sampleCollection } from '#in-memory';
import type { PlacedItem } from '#core';
import type { SseContent, Branch } from '#sse';
import { collectionKey, EditError, finish, itemId, subscriptionId } from '#core';
import { arrangeCollection } from './arrange-collection.ts';
import { deleteBranch } from './delete-branch.ts';
import { editItem } from './edit-item.ts';
import { mergeFragments } from './merge-fragments.ts';
import { renderedXml } from './rendered-xml.ts';
import { fragmentsOf } from '../../../test/support/fragments-of.ts';

const reading = collectionKey('reading');

type Random = () => number;

/** Numbers from 0 to 1, the same for the same seed. */
function seeded(seed: number): Random {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/**
 * An endpoint with a collection of outlines, whose time goes on by a second with each edit of any of them.
 */
function endpoint(label: string, now: () => Date) {
  const collection = sampleCollection({
    key: reading,
    protocol: 'sse',
    format: 'opml',
    title: 'Reading',
    endpoint: `test:${label}`,
    createdAt: now(),
  });
  const store = createMemoryStore({ clock: { now } });
  const ports = { store, now, publicUrl: 'http://here.example' };
  const branches = async (): Promise<Branch<PlacedItem>[]> => {
    const placed: PlacedItem[] = [];
    for await (const item of store.items.positions(reading)) placed.push(item);
    return arrange(placed);
  };
  let manifests = 0;
  return {
    ports,
    collection,
    /** Everything that it has, as its complete feed shows it. */
    async feed(): Promise<string> {
      const items = await store.items.load(
        reading,
        (await store.items.list(reading, { limit: 1000 })).map(({ id }) => id),
      );
      const outlineOf = ({ id }: PlacedItem): string => {
        const item = items.get(id);
        return item === undefined ? '' : finish(renderedXml('opml', collection, item, ports.publicUrl));
      };
      return (
        '<opml version="1.0" xmlns:sx="https://www.microsoft.com/schemas/rss/sse" ' +
        `xmlns:fm="urn:feedmesh:position"><head/><body>${written(await branches(), outlineOf)}</body></opml>`
      );
    },
    /** Returns how many items changed. */
    async take(feed: string): Promise<number> {
      const fragments = fragmentsOf(feed, sseDialect);
      const { changed, rejected } = await mergeFragments(ports, collection, {
        version: 1,
        collection: reading,
        subscription: subscriptionId('peer'),
        manifest: `m${(manifests += 1)}`,
        batch: 0,
        fragments,
      });
      expect(rejected).toBe(0);
      return changed.length + (await arrangeCollection(ports, collection));
    },
    async state() {
      const items = await store.items.list(reading, { limit: 1000 });
      return {
        tree: shape(await branches()),
        items: items
          .map(({ content }) => sseItemJson(content as SseContent))
          .map((item) => ({ ...item, conflicts: new Set<unknown>(item.conflicts) })),
      };
    },
  };
}

function written(branches: readonly Branch<PlacedItem>[], outlineOf: (item: PlacedItem) => string): string {
  return branches
    .map(
      ({ item, children }) => `${openOutline(outlineOf(item))}${written(children, outlineOf)}${outlineEnd}`,
    )
    .join('');
}

function shape(branches: readonly Branch<PlacedItem>[]): unknown[] {
  return branches.map(({ item, children }) => [item.id, shape(children)]);
}

/** One random edit; one that does not fit the state of its item is given up. */
async function editAtRandom(
  { ports, collection }: ReturnType<typeof endpoint>,
  random: Random,
  ids: string[],
  step: number,
): Promise<void> {
  const pick = (): string => ids[Math.floor(random() * ids.length)] ?? 'none';
  const parent = random() < 0.3 ? null : pick();
  const place = {
    ...(random() < 0.7 && { parent: ids.length === 0 ? null : parent }),
    ...(random() < 0.5 && { position: Math.floor(random() * 4) }),
  };
  const payload = payloadFromFields('opml', { attributes: { text: `step ${step}` } });
  const kind = random();
  const id = kind < 0.4 ? `${random() < 0.5 ? 'x' : 'a'}${step}` : pick();
  try {
    if (kind < 0.4) {
      await editItem(ports, collection, itemId(id), { action: 'create', id: itemId(id), payload, place });
      ids.push(id);
    } else if (kind < 0.75) await editItem(ports, collection, itemId(id), { action: 'update', place });
    else if (kind < 0.85) await editItem(ports, collection, itemId(id), { action: 'update', payload });
    else if (kind < 0.92) await deleteBranch(ports, collection, itemId(id), { action: 'delete' });
    else await editItem(ports, collection, itemId(id), { action: 'undelete', payload });
  } catch (error) {
    if (!(error instanceof EditError)) throw error;
  }
}

test(
  'endpoints that edit, move, delete and read each other at random come to the same items, order and ' +
    'tree, and then to rest',
  async () => {
    let inConflict = 0;
    for (let seed = 1; seed <= 25; seed += 1) {
      const random = seeded(seed);
      let time = Date.parse('2026-02-01T00:00:00Z');
      const endpoints = ['a', 'b', 'c']
        .slice(0, 2 + (seed % 2))
        .map((label) => endpoint(label, () => new Date(time)));
      const pick = () => endpoints[Math.floor(random() * endpoints.length)] as ReturnType<typeof endpoint>;
      const ids: string[] = [];
      for (let step = 0; step < 40; step += 1) {
        time += 1000;
        if (random() < 0.2) await pick().take(await pick().feed());
        else await editAtRandom(pick(), random, ids, step);
      }
      const readEachOther = async (): Promise<number> => {
        let changed = 0;
        for (const reader of endpoints)
          for (const publisher of endpoints)
            if (reader !== publisher) changed += await reader.take(await publisher.feed());
        return changed;
      };
      for (let round = 0; round < 3; round += 1) await readEachOther();
      const [first, ...others] = await Promise.all(endpoints.map((one) => one.state()));
      for (const other of others) expect({ seed, ...other }).toEqual({ seed, ...first });
      expect(await readEachOther()).toBe(0);
      inConflict += first?.items.filter(({ conflicts }) => conflicts.size > 0).length ?? 0;
    }
    expect(inConflict).toBeGreaterThan(0);
  },
);
