import { expect, test } from '@jest/globals';
import { isStaleDocument } from './stale-document.ts';

const [monday, tuesday] = ['Mon, 02 Nov 2026 10:00:00 GMT', 'Tue, 03 Nov 2026 10:00:00 GMT'];

test.each([
  [{ lastModified: tuesday }, { lastModified: monday }, true],
  [{ lastModified: monday }, { lastModified: tuesday }, false],
  [{ lastModified: monday }, { lastModified: monday }, false],
  [{ lastModified: monday }, { lastModified: tuesday, date: monday }, false],
  [{ date: tuesday }, { date: monday }, true],
  [{ date: tuesday }, { lastModified: monday, date: tuesday }, false],
  [{ date: tuesday }, {}, false],
  [{}, { lastModified: monday, date: monday }, false],
  [{ lastModified: tuesday }, { lastModified: 'yesterday' }, false],
])('after %j, a document with %j is stale: %s', (before, response, isStale) => {
  expect(isStaleDocument(before, response)).toBe(isStale);
});
