import { expect, test } from '@jest/globals';
import { formatCursor } from '#contracts';
import type { ChangeEvent } from '#contracts';
import { createMemoryStore } from '#in-memory';
import { collectionKey } from '#core';
import type { GatewayPorts } from '../gateway-ports.ts';
import { publishBlock } from '../../../../test/support/published-blocks.ts';
import { readChanges } from './read-changes.ts';

const now = (): Date => new Date('2026-02-01T00:00:00Z');

/** The change of this sequence, 1000 bytes of JSON and a little more. */
function event(sequence: number): ChangeEvent {
  return {
    specversion: '1.0',
    id: `news:${sequence}`,
    source: 'urn:feedmesh:test',
    subject: `${sequence}`.padEnd(1000, 'x'),
    type: 'feedmesh.item.created.v1',
    time: '2026-02-01T00:00:00Z',
    datacontenttype: 'application/json',
    sequence: formatCursor(sequence),
    data: { updates: 1, deleted: false, conflictCount: 0, itemUrl: '' },
  };
}

test('as many changes are read as fit into so many bytes, one at least, and the rest after', async () => {
  const store = createMemoryStore({ clock: { now } });
  await store.collections.create({
    key: collectionKey('news'),
    title: 'News',
    protocol: 'feedsync',
    format: 'atom',
    endpoint: 'test:here',
    createdAt: now(),
    settings: { windowItems: 1000, expiresAfter: 604_800, cleanUpHistory: false },
    publication: { sequence: 0, since: 0, relayed: 0 },
  });
  const events = [1, 2, 3, 4, 5, 6, 7].map(event);
  await publishBlock(store, {
    collection: collectionKey('news'),
    first: 1,
    events,
    items: [],
    notices: [],
    at: now(),
  });
  const ports = { store, publicUrl: 'http://here.example' } as GatewayPorts;
  const pages = async (limit: number, bytes: number): Promise<number[][]> => {
    const found: number[][] = [];
    for (let cursor = formatCursor(0); ;) {
      const { view } = await readChanges(ports, collectionKey('news'), cursor, limit, bytes);
      const { changes, next } = view;
      if (changes.length === 0) return found;
      found.push(changes.map(({ sequence }) => Number(sequence)));
      cursor = next;
    }
  };
  expect(await pages(100, 1_000_000)).toEqual([[1, 2, 3, 4, 5, 6, 7]]);
  expect(await pages(5, 1_000_000)).toEqual([
    [1, 2, 3, 4, 5],
    [6, 7],
  ]);
  expect(await pages(100, 4000)).toEqual([[1, 2, 3], [4, 5, 6], [7]]);
  expect(await pages(100, 10)).toEqual([[1], [2], [3], [4], [5], [6], [7]]);
});
