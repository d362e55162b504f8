import { describe, test } from '@jest/globals';
import fc from 'fast-check';
import { runs } from '../feedsync/runs.ts';
import { expectAgreement } from './placed-agreement.ts';
import { anyStory, PlacedMesh } from './placed-mesh.ts';

describe('2 to 5 endpoints that share an ordered collection', () => {
  test('end with the same items in the same order, after moves and insertions that were made at the same time', () => {
    fc.assert(
      fc.property(anyStory(false, 0), (story) => {
        expectAgreement(new PlacedMesh(story), story);
      }),
      runs(300),
    );
  });

  test('do so where one of them knows nothing but the order of documents', () => {
    fc.assert(
      fc.property(anyStory(false, 1), (story) => {
        expectAgreement(new PlacedMesh(story), story);
      }),
      runs(300),
    );
  });
});
