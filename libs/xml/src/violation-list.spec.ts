import { expect, test } from '@jest/globals';
import { FeedError } from './feed-error.ts';
import { readTree } from './tree.ts';
import { ViolationList } from './violation-list.ts';

const long = 'x'.repeat(1_000_000);

test('what a rule says of a document has a length that can be kept, listed or thrown', () => {
  const xml = '<a/>';
  const list = new ViolationList(
    { xml, line: 7, column: 3 },
    { broken: { section: '1', severity: 'error' } },
  );
  list.add(readTree(xml), 'broken', long);
  list.addLimit(readTree(xml), 'limit-item-length', long);
  expect(list.all.map(({ message }) => message.length)).toEqual([1001, 1001]);
  const error = new FeedError({ rule: 'a', section: 'limits', message: long, line: 1, column: 1 });
  expect(error.violation.message).toHaveLength(1001);
  expect(error.message.length).toBeLessThan(1100);
});
