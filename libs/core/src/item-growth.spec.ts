import { describe, expect, test } from '@jest/globals';
import { collectionKey, itemId } from '#contracts';
import type { ItemContent } from './item-content.ts';
import { limitedGrowth, writtenGrowth } from './item-growth.ts';
import type { ItemWrite } from './item-store.ts';

const contentOf = (title: string): ItemContent => ({
  sync: { id: itemId('a') },
  data: [title] as never,
  conflicts: [],
});

type Former = NonNullable<ItemWrite['former']>;
const formerOf = (title: string, more: Partial<Former> = {}): Former => ({
  content: contentOf(title),
  deleted: false,
  conflictCount: 0,
  sources: [],
  ...more,
});

/** A write of an item with a title, in place of a former one if there is any. */
function writeOf(title: string, former?: Former, more: Partial<ItemWrite['item']> = {}): ItemWrite {
  return {
    expected: former === undefined ? 0 : 1,
    ...(former && { former }),
    item: {
      collection: collectionKey('acme.todo'),
      id: itemId('a'),
      content: contentOf(title),
      deleted: false,
      conflictCount: 0,
      version: { updates: 1 },
      sources: [],
      createdAt: new Date(0),
      updatedAt: new Date(0),
      ...more,
    },
  };
}

const base = JSON.stringify(contentOf('')).length;
const long = 'x'.repeat(5000);

describe('what a write adds', () => {
  test.each<[string, ItemWrite, items: number, bytes: number]>([
    ['a new item', writeOf('tea'), 1, base + 3],
    ['a new tombstone', writeOf('', undefined, { deleted: true }), 0, base],
    ['a longer one, in UTF-8', writeOf('té', formerOf('t')), 0, 2],
    ['a shorter one', writeOf('t', formerOf('tea')), 0, -2],
    ['a deletion', writeOf('tea', formerOf('tea'), { deleted: true }), -1, 0],
    ['an undeletion', writeOf('tea', formerOf('', { deleted: true })), 1, 3],
    ['one of which nothing is known', { ...writeOf('tea'), expected: 4 }, 0, 0],
  ])('is counted: %s', (_what, write, items, bytes) => {
    expect(writtenGrowth(write)).toEqual({ items, bytes, files: 0 });
  });
});

describe('what is held against the limits', () => {
  test.each<[string, ItemWrite, items: number, bytes: number]>([
    ['all of a new item', writeOf('tea'), 1, base + 3],
    ['the bytes of a new tombstone', writeOf(long, undefined, { deleted: true }), 0, base + 5000],
    ['a change that makes it longer', writeOf(long, formerOf('tea')), 0, 4997],
    ['not what a history grows by', writeOf('x'.repeat(1024), formerOf('')), 0, 0],
    ['no deletion', writeOf(long, formerOf('tea'), { deleted: true }), 0, 0],
    ['no resolution', writeOf(long, formerOf('tea', { conflictCount: 1 })), 0, 0],
    ['no move', { ...writeOf(long, formerOf('tea')), isMoved: true }, 0, 0],
    ['the item of an undeletion', writeOf('tea', formerOf('', { deleted: true })), 1, 0],
  ])('is %s', (_what, write, items, bytes) => {
    expect(limitedGrowth(write)).toEqual({ items, bytes, files: 0 });
  });
});
