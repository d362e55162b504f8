import { expect, test } from '@jest/globals';
import { readSyndication } from './syndication.ts';

const child = (name: string, text: string) => ({
  namespace: 'http://purl.org/rss/1.0/modules/syndication/',
  name,
  xml: `<sy:${name}>${text}</sy:${name}>`,
});

test.each([
  ['hourly', [['updatePeriod', ' hourly ']], { every: 3600 }],
  [
    'twice a day',
    [
      ['updatePeriod', 'daily'],
      ['updateFrequency', '2'],
    ],
    { every: 43_200 },
  ],
  ['a period that is missing is a day', [['updateFrequency', '4']], { every: 21_600 }],
  [
    'once a year from a date on',
    [
      ['updatePeriod', 'yearly'],
      ['updateBase', '2026-01-01T12:00+00:00'],
    ],
    { every: 31_536_000, base: '2026-01-01T12:00:00Z' },
  ],
  [
    'a base that is no date is left out',
    [
      ['updatePeriod', 'weekly'],
      ['updateBase', 'noon'],
    ],
    { every: 604_800 },
  ],
  [
    'more often than a second is a second',
    [
      ['updatePeriod', 'hourly'],
      ['updateFrequency', '9999999'],
    ],
    { every: 1 },
  ],
  ['a base alone says nothing', [['updateBase', '2026-01-01T12:00+00:00']], undefined],
  ['no period of the module', [['updatePeriod', 'sometimes']], undefined],
  [
    'never',
    [
      ['updatePeriod', 'daily'],
      ['updateFrequency', '0'],
    ],
    undefined,
  ],
  ['nothing', [], undefined],
] as const)('%s', (_what, said, read) => {
  expect(readSyndication(said.map(([name, text]) => child(name, text)))).toEqual(read);
});
