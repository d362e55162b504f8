import { expect, test } from '@jest/globals';
import { publishedDate } from './item-date.ts';

test.each([
  ['RSS', '<item><pubDate>Mon, 05 Jan 2026 10:00:00 +0100</pubDate></item>', '2026-01-05T09:00:00Z'],
  [
    'Atom, when it was published before when it was changed',
    '<entry><updated>2026-01-07T10:00:00Z</updated><published>2026-01-05T10:00:00Z</published></entry>',
    '2026-01-05T10:00:00Z',
  ],
  ['Atom', '<a:entry><a:updated>2026-01-07T10:00:00Z</a:updated></a:entry>', '2026-01-07T10:00:00Z'],
  ['Dublin Core', '<item><dc:date xml:lang="en">2026-01-05T10:00Z</dc:date></item>', '2026-01-05T10:00:00Z'],
  ['no date', '<item><pubDate>yesterday</pubDate><title>2026-01-05</title></item>', undefined],
])('an item of %s', (_format, xml, date) => {
  expect(publishedDate(xml)).toBe(date === undefined ? undefined : Date.parse(date));
});
