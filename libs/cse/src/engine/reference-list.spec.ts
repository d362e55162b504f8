import { expect, test } from '@jest/globals';
import { ReferenceList } from './reference-list.ts';

test('references to one URL are joined: shortest path, latest date, wanted if one of them is', () => {
  const references = new ReferenceList();
  references.add('a', { depth: 2, lastBuildDate: '2026-01-02T00:00:00Z', isWanted: true });
  references.add('b', { depth: 2, lastBuildDate: '2026-01-01T00:00:00Z', isWanted: false });
  references.add('a', { depth: 1, lastBuildDate: '2026-01-03T00:00:00Z', isWanted: false });
  references.add('a', { depth: 3, lastBuildDate: '2026-01-01T00:00:00Z', isWanted: false });
  expect([...references.all]).toEqual([
    ['a', { depth: 1, lastBuildDate: '2026-01-03T00:00:00Z', isWanted: true }],
    ['b', { depth: 2, lastBuildDate: '2026-01-01T00:00:00Z', isWanted: false }],
  ]);
});
