import { expect, test } from '@jest/globals';
import { formatCursor, parseCursor } from '#contracts';
import type { ChangeEvent } from '#contracts';
import { collectionKey } from '#core';
import { sampleCollection } from '#in-memory';
import type { ChangesReader } from './changes-reader.ts';
import { readAllChanges } from './read-all-changes.ts';

/** A log in which each collection has changes up to a sequence. */
function reader(last: Readonly<Record<string, number>>): Pick<ChangesReader, 'read'> {
  return {
    async read(key, cursor, limit) {
      const since = parseCursor(cursor ?? formatCursor(0)) ?? 0;
      const count = Math.min(limit, (last[key] ?? 0) - since);
      const changes = Array.from(
        { length: count },
        (_, place) => ({ id: `${key} ${since + place + 1}` }) as ChangeEvent,
      );
      const isLast = since + count === last[key];
      return { view: { changes, next: formatCursor(since + count) }, isLast };
    },
  };
}

const collection = (name: string, sequence: number, publishedAt: number) =>
  sampleCollection({
    key: collectionKey(name),
    publication: { sequence, since: 0, relayed: 0, updatedAt: new Date(publishedAt) },
  });

test('a page is shared out, with collections first that have published nothing for long', async () => {
  const last = { busy: 100, busier: 100, quiet: 1 };
  const collections = [collection('busier', 100, 3), collection('busy', 100, 2), collection('quiet', 1, 1)];
  const { view, isLast } = await readAllChanges(reader(last), collections, 'start', { limit: 7, bytes: 1e6 });
  expect(view.changes.map(({ id }) => id)).toEqual([
    'quiet 1',
    'busy 1',
    'busy 2',
    'busy 3',
    'busier 1',
    'busier 2',
    'busier 3',
  ]);
  expect([view.next, isLast]).toEqual(['all~quiet_1~busy_3~busier_3', false]);
});

test('a cursor says of which collections nothing was read yet', async () => {
  const last = { one: 1, two: 1 };
  const collections = [collection('one', 1, 1), collection('two', 1, 2)];
  const limits = { limit: 1, bytes: 1e6 };
  const first = await readAllChanges(reader(last), collections, undefined, limits);
  expect([first.view.next, first.isLast]).toEqual(['start~one_1', false]);
  const second = await readAllChanges(reader(last), collections, first.view.next, limits);
  expect([second.view.next, second.isLast]).toEqual(['all~one_1~two_1', true]);
});
