import type { HostileFeed } from '../hostile-feed.ts';
import { atom, atomItem, entry, history, item, mergedAs, neighbours, rejectedBy, rss } from '../markup.ts';

/** An entry with these attributes of `sx:sync` and this in it. */
const versioned = (attributes: string, inside = history(1, 'a')): string =>
  entry('x', '', `<sx:sync id="x" ${attributes}>${inside}</sx:sync>`);
const numbers = [
  '0',
  '-1',
  '+1',
  '1.0',
  '1e3',
  ' 1',
  '1 ',
  '01',
  '0x1',
  '\uFF11',
  '\u0661',
  'NaN',
  'Infinity',
  '',
  'one',
  '2147483648',
  '4294967297',
  '9'.repeat(400),
  '1_000',
];
const dates = [
  '',
  'now',
  '2026',
  '2026-01-01',
  '2026-01-01T00:00:00',
  '2026-01-01T00:00:00+00:00',
  '2026-01-01 00:00:00Z',
  '2026-13-01T00:00:00Z',
  '2026-02-30T00:00:00Z',
  '2026-01-01T24:00:01Z',
  '2026-01-01T00:60:00Z',
  '10000-01-01T00:00:00Z',
  '-0001-01-01T00:00:00Z',
  '2026-01-01T00:00:00.5Z',
  '2026-01-01t00:00:00z',
  'Thu, 01 Jan 2026 00:00:00 GMT',
  '1767225600',
  '9'.repeat(100_000),
];

/** Numbers, dates and histories beyond what they may be. */
export const versions: readonly HostileFeed[] = [
  {
    name: 'versions/updates-that-are-none',
    body: () => atom(numbers.map((number) => versioned(`updates="${number}"`)).join('')),
    expected: {
      ...neighbours,
      rejected: ['sync-updates-range', 'sync-updates-range', `… ×${numbers.length}`],
    },
  },
  {
    name: 'versions/sequences-that-are-none',
    body: () => atom(numbers.map((number) => versioned('updates="1"', history(number, 'a'))).join('')),
    expected: {
      ...neighbours,
      rejected: ['history-sequence-range', 'history-sequence-range', `… ×${numbers.length}`],
    },
  },
  {
    name: 'versions/dates-that-are-none',
    body: () => atom(dates.map((date) => versioned('updates="1"', history(1, 'a', date))).join('')),
    expected: {
      ...neighbours,
      rejected: ['history-when-format', 'history-when-format', `… ×${dates.length}`],
    },
  },
  {
    name: 'versions/dates-far-away',
    body: () =>
      atom(
        ['0000-01-01T00:00:00Z', '0001-01-01T00:00:00Z', '9999-12-31T23:59:59Z', '2016-12-31T23:59:60Z']
          .map((date, n) =>
            entry(`d${n}`, '', `<sx:sync id="d${n}" updates="1">${history(1, 'a', date)}</sx:sync>`),
          )
          .join(''),
      ),
    expected: { merged: ['d0', 'd1', 'd2', 'd3', 'first', 'last'] },
  },
  {
    name: 'versions/greatest-numbers',
    body: () => atom(versioned('updates="2147483647"', history(2147483647, 'a'))),
    expected: mergedAs('x'),
  },
  {
    name: 'versions/greatest-numbers-in-conflict',
    body: () =>
      atom(['a', 'b'].map((by) => versioned('updates="2147483647"', history(2147483647, by))).join('')),
    expected: { ...mergedAs('x'), conflicts: { x: 1 }, warnings: ['repeated-item-conflict'] },
  },
  {
    name: 'versions/updates-without-a-history-for-each',
    body: () => atom(versioned('updates="2147483647"')),
    expected: mergedAs('x'),
  },
  {
    name: 'versions/no-history',
    body: () => atom(versioned('updates="1"', '')),
    expected: rejectedBy('sync-history-required'),
  },
  {
    name: 'versions/no-updates',
    body: () => atom(versioned('')),
    expected: rejectedBy('sync-updates-required'),
  },
  {
    name: 'versions/history-of-nobody',
    body: () => atom(versioned('updates="1"', '<sx:history sequence="1"/>')),
    expected: rejectedBy('history-when-or-by'),
  },
  {
    name: 'versions/deleted-that-is-neither',
    body: () =>
      atom(
        ['yes', '1', '0', 'TRUE', '', ' true']
          .map((value) => versioned(`updates="1" deleted="${value}"`))
          .join(''),
      ),
    expected: { ...neighbours, rejected: Array<string>(6).fill('sync-deleted-value') },
  },
  {
    name: 'versions/noconflicts-that-is-neither',
    body: () =>
      atom(['yes', '1', ''].map((value) => versioned(`updates="1" noconflicts="${value}"`)).join('')),
    expected: { ...neighbours, rejected: Array<string>(3).fill('sync-noconflicts-value') },
  },
  {
    name: 'versions/noconflicts-that-changes',
    body: () =>
      atom(
        ['true', 'false']
          .map((value, n) =>
            entry(
              'x',
              '',
              `<sx:sync id="x" updates="${n + 1}" noconflicts="${value}">${history(n + 1, 'a')}</sx:sync>`,
            ),
          )
          .join(''),
      ),
    expected: mergedAs('x'),
  },
  {
    name: 'versions/deleted-with-data',
    body: () => atom(versioned('updates="1" deleted="true"')),
    expected: mergedAs('x'),
  },
  {
    name: 'versions/2000-histories',
    body: () =>
      atom(
        versioned('updates="2000"', Array.from({ length: 2000 }, (_, n) => history(2000 - n, 'a')).join('')),
      ),
    expected: mergedAs('x'),
  },
  {
    name: 'versions/histories-of-2000-endpoints',
    body: () =>
      atom(versioned('updates="2000"', Array.from({ length: 2000 }, (_, n) => history(1, `e${n}`)).join(''))),
    expected: mergedAs('x'),
  },
  {
    name: 'versions/histories-that-conflict',
    body: () => {
      const histories = (by: string): string =>
        Array.from({ length: 800 }, (_, n) => history(800 - n, by)).join('');
      const version = (by: string): string =>
        item('x', '', `<sx:sync id="x" updates="800">${histories(by)}</sx:sync>`);
      return rss(version('a') + version('b'));
    },
    into: 'rss',
    expected: { ...mergedAs('x'), conflicts: { x: 1 }, warnings: ['repeated-item-conflict'] },
  },
  {
    name: 'versions/warnings-without-end',
    body: () => atom(versioned('updates="1"', history(1, 'a') + '<sx:h/>'.repeat(20_000))),
    expected: mergedAs('x'),
  },
  {
    name: 'versions/histories-in-reverse',
    body: () => atom(versioned('updates="3"', [1, 2, 3].map((sequence) => history(sequence, 'a')).join(''))),
    expected: mergedAs('x'),
  },
  {
    name: 'versions/same-version-with-other-data',
    body: () => atom(entry('x', '<summary>1</summary>') + entry('x', '<summary>2</summary>')),
    expected: mergedAs('x'),
  },
  {
    name: 'versions/200-items',
    body: () => atom(Array.from({ length: 200 }, (_, n) => entry(`i${n}`)).join('')),
    expected: { merged: ['first', 'i0', '… ×202'] },
  },
  {
    name: 'versions/700-items-that-are-rejected',
    body: () => atom('<entry><sx:sync/></entry>'.repeat(700)),
    expected: { ...neighbours, rejected: ['sync-updates-required'] },
  },
  {
    name: 'versions/text-in-sync',
    body: () =>
      atomItem('', `<sx:sync id="x" updates="1">${'t'.repeat(1_000_000)}${history(1, 'a')}</sx:sync>`),
    expected: mergedAs('x'),
  },
];
