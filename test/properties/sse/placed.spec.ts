import { describe, test } from '@jest/globals';
import fc from 'fast-check';
import { runs } from '../feedsync/runs.ts';
import { expectAgreement } from './placed-agreement.ts';
import { anyStory, PlacedMesh } from './placed-mesh.ts';

describe.each([
  ['an ordered collection', 'in the same order, after moves and insertions', false],
  ['a hierarchy', 'and the same tree, without a cycle, after moves', true],
] as const)('2 to 5 endpoints that share %s', (_collection, outcome, isHierarchy) => {
  test(`end with the same items ${outcome} that were made at the same time`, () => {
    fc.assert(
      fc.property(anyStory(isHierarchy, 0), (story) => {
        expectAgreement(new PlacedMesh(story), story);
      }),
      runs(100),
    );
  });

  test('do so if one of them knows only the order of documents', () => {
    fc.assert(
      fc.property(anyStory(isHierarchy, 1), (story) => {
        expectAgreement(new PlacedMesh(story), story);
      }),
      runs(100),
    );
  });
});
