import { expect, test } from '@jest/globals';
import { keptFields, unkeptFields } from './kept-fields.ts';

const [longest, tooLong] = [1024, 1025].map((length) => 'x'.repeat(length)) as [string, string];

test('fields of a header are kept up to their greatest length', () => {
  const header = { etag: longest, lastModified: longest, contentType: longest };
  expect(keptFields(header)).toEqual(header);
  expect(unkeptFields(header)).toEqual([]);
});

test('those that are longer are not, which is said', () => {
  const header = { etag: tooLong, contentType: 'application/atom+xml', lastModified: tooLong };
  expect(keptFields(header)).toEqual({ contentType: 'application/atom+xml' });
  expect(unkeptFields(header).map(({ rule, message }) => [rule, message.split(';')[0]])).toEqual([
    ['limit-field-length', 'The header field ETag has 1025 characters'],
    ['limit-field-length', 'The header field Last-Modified has 1025 characters'],
  ]);
});

test('those that are missing stay so', () => {
  expect([keptFields({}), unkeptFields({})]).toEqual([{}, []]);
});
