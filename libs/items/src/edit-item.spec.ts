import { describe, expect, test } from '@jest/globals';
import { payloadFromFields } from '#xml';
import { createMemoryStore, sampleCollection } from '#in-memory';
import { collectionKey, finish, itemId } from '#core';
import type { CollectionSettings } from '#core';
import type { FeedSyncContent } from '#feedsync';
import { editItem } from './edit-item.ts';
import { feedsyncProtocol } from '#feedsync';
import { renderedXml } from './rendered-xml.ts';
import { InvalidEditError } from '#protocol';
import type { Edit } from '#protocol';

const milk = itemId('milk');

const now = (): Date => new Date('2026-02-01T00:00:00Z');
const payload = payloadFromFields('atom', { title: 'Buy milk' });
const creation: Edit = { action: 'create', id: milk, payload };

/**
 * Performs edits of one item, one after the other; returns the item after the last one, and as it stands in
 * our feed.
 */
async function edited(edits: readonly Edit[], settings: Partial<CollectionSettings> = {}) {
  const collection = sampleCollection({
    key: collectionKey('todo'),
    createdAt: now(),
    settings,
  });
  const store = createMemoryStore({ clock: { now } });
  const publicUrl = 'http://here.example';
  for (const edit of edits) await editItem({ store, now, publicUrl }, collection, milk, edit);
  const item = (await store.items.load(collectionKey('todo'), [milk])).get(milk);
  if (item === undefined) throw new Error('There is no item.');
  const xml = finish(renderedXml('atom', collection, item, publicUrl));
  return { ...item, content: item.content as FeedSyncContent, xml };
}

describe('creating an item (3.1)', () => {
  test('leaves noconflicts out, or sets it, as requested', async () => {
    expect((await edited([creation])).content.sync.noconflicts).toBeUndefined();
    for (const noconflicts of [true, false])
      expect(
        (
          await edited([
            { ...creation, noconflicts },
            { action: 'update', payload },
          ])
        ).content.sync.noconflicts,
      ).toBe(noconflicts);
  });

  test('makes a tombstone from birth, which can be undeleted', async () => {
    const tombstone = await edited([{ ...creation, deleted: true }]);
    expect([
      tombstone.deleted,
      tombstone.version.updates,
      feedsyncProtocol.json(tombstone.content).title,
    ]).toEqual([true, 1, 'Buy milk']);
    expect((await edited([{ ...creation, deleted: true }, { action: 'undelete' }])).deleted).toBe(false);
  });

  test('takes a payload of the other format, like every edit, and keeps it in its own', async () => {
    const rss = payloadFromFields('rss', { title: 'Buy eggs' });
    for (const edits of [
      [{ ...creation, payload: rss }],
      [creation, { action: 'update', payload: rss }],
    ] as const) {
      const { content, xml } = await edited(edits);
      expect([content.data.format, feedsyncProtocol.json(content).title]).toEqual(['atom', 'Buy eggs']);
      expect(xml).toMatch(/^<entry>/);
    }
  });
});

describe('deleting an item (3.2)', () => {
  test('keeps its data unless the deletion or, after it, the settings say otherwise', async () => {
    const data = async (
      removeData: boolean | undefined,
      removeDeletedData: boolean | undefined,
    ): Promise<number> => {
      const settings = removeDeletedData === undefined ? {} : { removeDeletedData };
      const { content } = await edited(
        [creation, { action: 'delete', ...(removeData !== undefined && { removeData }) }],
        settings,
      );
      return content.data.children.length;
    };
    expect(
      await Promise.all([data(undefined, undefined), data(undefined, false), data(false, true)]),
    ).toEqual([1, 1, 1]);
    expect(await Promise.all([data(true, undefined), data(undefined, true), data(true, false)])).toEqual([
      0, 0, 0,
    ]);
  });

  test('preserves the sync data and the topmost history of an item whose data it removes', async () => {
    const { content, xml } = await edited([creation, { action: 'delete', removeData: true }]);
    expect(content.sync).toMatchObject({
      id: 'milk',
      updates: 2,
      deleted: true,
      history: [{ sequence: 2, when: '2026-02-01T00:00:00Z', by: 'test:here' }, { sequence: 1 }],
    });
    expect(xml).not.toContain('Buy milk');
    expect(xml).toContain('<sx:sync id="milk" updates="2" deleted="true"');
  });
});

describe('undeleting an item whose data was removed', () => {
  test('asks for a payload', async () => {
    await expect(
      edited([creation, { action: 'delete', removeData: true }, { action: 'undelete' }]),
    ).rejects.toThrow(InvalidEditError);
    await expect(
      edited([creation, { action: 'delete', removeData: true }, { action: 'undelete' }]),
    ).rejects.toThrow('its deletion removed it');
    const { deleted, content } = await edited([
      creation,
      { action: 'delete', removeData: true },
      { action: 'undelete', payload },
    ]);
    expect([deleted, feedsyncProtocol.json(content).title]).toEqual([false, 'Buy milk']);
  });
});

test('edits clean up the history where the settings say so (3.2)', async () => {
  const edits: readonly Edit[] = [creation, { action: 'update', payload }, { action: 'delete' }];
  expect((await edited(edits, { cleanUpHistory: true })).content.sync.history).toHaveLength(1);
  expect((await edited(edits)).content.sync.history).toHaveLength(3);
});
