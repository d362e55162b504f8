import { expect, test } from '@jest/globals';
import { payloadFromFields, readPayload, readReaderItem } from '#xml';
import { growthOf } from '../support/growth/processor-time.ts';

/** Between what is linear and what is quadratic. */
const mostGrowth = 8;

test('the author of an RSS item is read in time in proportion to its length', async () => {
  const growth = await growthOf(1000, (length) => {
    const item = readPayload(`<item><author>@${'x@'.repeat(length)}((</author></item>`);
    return () => Array.from({ length: 50 }, () => readReaderItem(item, 'http://feeds.example/'));
  });
  expect(growth).toBeLessThan(mostGrowth);
});

test('the elements of a payload are read in time in proportion to their number', async () => {
  const growth = await growthOf(8000, (count) => {
    const payload = '<a xmlns="urn:a"/>'.repeat(count);
    return () => payloadFromFields('rss', { title: 'x', payload });
  });
  expect(growth).toBeLessThan(mostGrowth);
});
