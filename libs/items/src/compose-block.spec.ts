import { describe, expect, test } from '@jest/globals';
import { changeEvent, itemEvent } from '#contracts';
import { collectionKey, itemId, storedSize, subscriptionId } from '#core';
import { sampleCollection } from '#in-memory';
import type { PendingItem } from '#core';
import { changeType, composeBlock, fittingBlock } from './compose-block.ts';

const todo = collectionKey('todo');
const peer = subscriptionId('peer');

const now = new Date('2026-01-01T00:00:00Z');

const material = {
  collection: sampleCollection({ key: todo }),
  notices: [],
  publicUrl: 'http://here.example',
  now,
};

function item(id: string, more: Partial<PendingItem> = {}): PendingItem {
  return {
    collection: todo,
    id: itemId(id),
    revision: 3,
    deleted: false,
    conflictCount: 0,
    version: { updates: 2, history: { sequence: 2, when: '2025-12-31T23:59:59Z', by: 'A' } },
    updatedAt: now,
    ...more,
  };
}

const progress = { done: 3, total: 5, bytes: 1000, failed: 1 };
const resolution = { policy: 'latest', conflicts: 2 };

const announced = (more: object = {}) => ({ revision: 1, deleted: false, conflictCount: 0, ...more });

test.each([
  ['created', {}],
  ['deleted', { deleted: true }],
  ['updated', { announced: announced() }],
  ['deleted', { announced: announced(), deleted: true }],
  ['undeleted', { announced: announced({ deleted: true }) }],
  ['updated', { announced: announced({ deleted: true }), deleted: true }],
  ['conflicted', { announced: announced(), conflictCount: 1 }],
  ['conflicted', { announced: announced({ conflictCount: 1 }), conflictCount: 2 }],
  ['updated', { announced: announced({ conflictCount: 2 }), conflictCount: 1 }],
  ['resolved', { announced: announced({ conflictCount: 2 }), conflictCount: 0 }],
  ['resolved', { announced: announced(), version: { updates: 3, resolution } }],
  ['resolved', { announced: announced(), conflictCount: 1, version: { updates: 3, resolution } }],
  ['created', { version: { updates: 3, resolution } }],
  ['deleted', { announced: announced(), deleted: true, version: { updates: 3, resolution } }],
] as const)('an item is %s where it is %j', (type, more) => {
  expect(changeType(item('a', more))).toBe(type);
});

test('items, then notices, get the sequences that follow, and every event fits the contract', () => {
  const block = composeBlock({
    ...material,
    collection: { ...material.collection, publication: { sequence: 41, since: 0, relayed: 41 } },
    items: [item('a'), item('b', { announced: announced(), subscription: peer })],
    notices: [{ id: 'n', collection: todo, subscription: peer, type: 'fetched', at: now }],
  });
  expect(block.first).toBe(42);
  expect(block.events.map(({ id, type, subject }) => [id, type, subject])).toEqual([
    ['todo:0000000000000042', 'feedmesh.item.created.v1', 'a'],
    ['todo:0000000000000043', 'feedmesh.item.updated.v1', 'b'],
    ['todo:0000000000000044', 'feedmesh.subscription.fetched.v1', 'peer'],
  ]);
  for (const event of block.events) expect(changeEvent.parse(event)).toEqual(event);
  expect(block.events[1]?.data).toEqual({
    updates: 2,
    history: { sequence: 2, when: '2025-12-31T23:59:59Z', by: 'A' },
    deleted: false,
    conflictCount: 0,
    subscription: peer,
    itemUrl: 'http://here.example/v1/collections/todo/items/b',
  });
  expect(block.items).toEqual([
    { id: 'a', sequence: 42, revision: 3, deleted: false, conflictCount: 0 },
    { id: 'b', sequence: 43, revision: 3, deleted: false, conflictCount: 0 },
  ]);
  expect(block.notices).toEqual(['n']);
});

test(
  'the same change in two installations has two sources, absolute ones, and the source is the id of ' +
    'the feeds',
  () => {
    const sourceOf = (endpoint: string) =>
      composeBlock({
        ...material,
        collection: { ...material.collection, endpoint },
        items: [item('a')],
      }).events[0]?.source;
    expect([sourceOf('7f3a:todo'), sourceOf('91c2:todo')]).toEqual([
      'urn:feedmesh:7f3a:todo',
      'urn:feedmesh:91c2:todo',
    ]);
    expect(itemEvent.shape.source.safeParse('/v1/collections/todo').success).toBe(false);
  },
);

test(
  'an event says what a policy has resolved, what a resync has discarded, and how far a walk through a ' +
    'tree is',
  () => {
    const { events } = composeBlock({
      ...material,
      items: [item('a', { announced: announced(), version: { updates: 3, resolution } })],
      notices: [
        { id: 'n', collection: todo, subscription: peer, type: 'resynced', at: now, discarded: 4 },
        { id: 'p', collection: todo, subscription: peer, type: 'progress', at: now, progress },
      ],
    });
    for (const event of events) expect(changeEvent.parse(event)).toEqual(event);
    expect(events.map(({ data }) => data)).toMatchObject([
      { updates: 3, resolution },
      { subscription: peer, discarded: 4 },
      { subscription: peer, progress },
    ]);
    expect(events[2]?.type).toBe('feedmesh.subscription.progress.v1');
  },
);

describe('a block that is too large for one document of the log', () => {
  const long = (number: number): PendingItem =>
    item(`${number}`.padStart(4, '0').padEnd(4096, '\u4e16'), {
      version: { updates: 1, history: { sequence: 1, by: '\u4e16'.repeat(4096) } },
    });
  const notices = Array.from({ length: 20 }, (_, number) => number).map((number) => ({
    id: `n${number}`,
    collection: todo,
    subscription: subscriptionId('s'),
    type: 'fetched' as const,
    at: now,
  }));
  const block = composeBlock({
    ...material,
    items: Array.from({ length: 20 }, (_, number) => long(number)),
    notices,
  });

  test('is cut after what fits, and the sequences are those of the whole', () => {
    const part = fittingBlock(block, 1_000_000);
    expect(part.events.length).toBeGreaterThan(5);
    expect(part.events.length).toBeLessThan(20);
    expect(storedSize(part)).toBeLessThan(1_000_000);
    expect(part).toEqual({
      ...block,
      events: block.events.slice(0, part.events.length),
      items: block.items.slice(0, part.events.length),
      notices: [],
    });
  });

  test('holds one change at the least, and all that fit', () => {
    expect(fittingBlock(block, 1).events).toEqual(block.events.slice(0, 1));
    expect(fittingBlock(block, 10_000_000)).toBe(block);
  });

  test('may end among the notices', () => {
    const short = composeBlock({ ...material, items: [item('a')], notices });
    const { events, items, notices: fitting } = fittingBlock(short, 5000);
    expect(events.length).toBeGreaterThan(2);
    expect(fitting.length).toBeLessThan(20);
    expect({ events, items, notices: fitting }).toEqual({
      events: short.events.slice(0, 1 + fitting.length),
      items: short.items,
      notices: short.notices.slice(0, fitting.length),
    });
  });
});
