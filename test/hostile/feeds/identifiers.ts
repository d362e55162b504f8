import type { HostileFeed } from '../hostile-feed.ts';
import { atom, atomItem, entry, history, item, mergedAs, rejectedBy, rss, sync } from '../markup.ts';

const odd = [
  '.',
  '..',
  '~',
  '/',
  '%2F',
  '%',
  '?',
  '#',
  '\\',
  '__proto__',
  'constructor',
  '$where',
  'a.b',
  'a b',
  ' a',
  'a ',
  'feeds',
  'first/last',
  '\u{1F600}',
  '\u202E',
  '\uFEFF',
  '\u200B',
  'e\u0301',
  '\u00E9',
  'null',
  'undefined',
  '-1',
  '0',
];

/** An entry whose history is by this endpoint. */
const byOne = (by: string): string => entry('x', '', sync('x', { by }));

/** Identifiers of items and endpoints. */
export const identifiers: readonly HostileFeed[] = [
  {
    name: 'identifiers/longest',
    body: () => atom(entry('i'.repeat(4096))),
    expected: mergedAs('iiiiiiiiiiiiiiiiiiii… (4096)'),
  },
  {
    name: 'identifiers/one-longer',
    body: () => atom(entry('i'.repeat(4097))),
    expected: rejectedBy('sync-id-length'),
  },
  {
    name: 'identifiers/megabyte',
    body: () => atom(entry('i'.repeat(1_000_000))),
    expected: rejectedBy('sync-id-length'),
  },
  {
    name: 'identifiers/longest-of-wide-characters',
    body: () => atom(entry('\u4E16'.repeat(4096))),
    expected: mergedAs(`${'\u4E16'.repeat(20)}… (4096)`),
  },
  { name: 'identifiers/empty', body: () => atom(entry('')), expected: rejectedBy('sync-id-empty') },
  {
    name: 'identifiers/missing',
    body: () => atom(entry('', '', `<sx:sync updates="1">${history(1, 'a')}</sx:sync>`)),
    expected: rejectedBy('sync-id-required'),
  },
  {
    name: 'identifiers/odd',
    body: () => atom(odd.map((id) => entry(id)).join('')),
    expected: { merged: [' a', '#', `… ×${odd.length + 2}`] },
  },
  {
    name: 'identifiers/with-markup',
    body: () => atom(entry('&lt;a b=&quot;c&quot;&gt;&amp;amp;')),
    expected: { ...mergedAs('<a b="c">&amp;') },
  },
  {
    name: 'identifiers/with-line-breaks',
    body: () => atom(entry('a&#10;b&#9;c&#13;d')),
    expected: { ...mergedAs('a\nb\tc\rd') },
  },
  {
    name: 'identifiers/with-controls',
    body: () => atom(entry('a&#x85;b&#x9F;c&#x7F;')),
    expected: { ...mergedAs('a\u0085b\u009Fc\u007F') },
  },
  {
    name: 'identifiers/with-a-control-that-XML-forbids',
    body: () => atom(entry('a&#1;b')),
    expected: { refused: 'xml-well-formed' },
  },
  {
    name: 'identifiers/with-NUL',
    body: () => atom(entry('a&#0;b')),
    expected: { refused: 'xml-well-formed' },
  },
  {
    name: 'identifiers/with-a-lone-surrogate',
    body: () => atom(entry('a&#xD800;b')),
    expected: { refused: 'xml-well-formed' },
  },
  {
    name: 'identifiers/with-a-noncharacter',
    body: () => atom(entry('a&#xFFFE;b')),
    expected: { refused: 'xml-well-formed' },
  },
  {
    name: 'identifiers/with-a-noncharacter-of-another-plane',
    body: () => atom(entry('a&#x1FFFE;b')),
    expected: { ...mergedAs('a\u{1FFFE}b') },
  },
  {
    name: 'identifiers/beyond-Unicode',
    body: () => atom(entry('a&#x110000;b')),
    expected: { refused: 'xml-well-formed' },
  },
  {
    name: 'identifiers/of-neighbours',
    body: () => atom(entry('first') + entry('last')),
    expected: { merged: ['first', 'last'] },
  },
  {
    name: 'identifiers/two-in-one',
    body: () => atomItem('', sync('x') + sync('y')),
    expected: rejectedBy('sync-multiple'),
  },
  {
    name: 'identifiers/same-version-700-times',
    body: () => atom(entry('x').repeat(700)),
    expected: mergedAs('x'),
  },
  {
    name: 'identifiers/500-versions-in-conflict',
    body: () => atom(Array.from({ length: 500 }, (_, n) => byOne(`e${n}`)).join('')),
    expected: { ...mergedAs('x'), conflicts: { x: 499 }, warnings: ['repeated-item-conflict'] },
  },
  {
    name: 'identifiers/100-versions-that-subsume',
    body: () => {
      const histories = (updates: number): string =>
        Array.from({ length: updates }, (_, index) => history(updates - index, 'a')).join('');
      const version = (updates: number): string =>
        item('x', '', `<sx:sync id="x" updates="${updates}">${histories(updates)}</sx:sync>`);
      return rss(Array.from({ length: 100 }, (_, index) => version(index + 1)).join(''));
    },
    into: 'rss',
    expected: mergedAs('x'),
  },
  {
    name: 'identifiers/longest-endpoint',
    body: () => atom(byOne('b'.repeat(4096))),
    expected: mergedAs('x'),
  },
  {
    name: 'identifiers/longer-endpoint',
    body: () => atom(byOne('b'.repeat(4097))),
    expected: rejectedBy('history-by-length'),
  },
  {
    name: 'identifiers/empty-endpoint',
    body: () => atom(byOne('')),
    expected: rejectedBy('history-by-empty'),
  },
  {
    name: 'identifiers/endpoint-with-markup',
    body: () => atom(byOne('&lt;script&gt;&amp;amp;')),
    expected: { ...mergedAs('x') },
  },
  {
    name: 'identifiers/endpoint-of-prototypes',
    body: () => {
      const histories = ['__proto__', 'constructor', 'toString'].map((by) => history(1, by)).join('');
      return atomItem('', `<sx:sync id="x" updates="3">${histories}</sx:sync>`);
    },
    expected: { ...mergedAs('x') },
  },
  {
    name: 'identifiers/60-items-with-long-ids',
    body: () => atom(Array.from({ length: 60 }, (_, n) => entry(`${n}`.padEnd(4096, 'x'))).join('')),
    expected: { merged: ['0xxxxxxxxxxxxxxxxxxx… (4096)', '10xxxxxxxxxxxxxxxxxx… (4096)', '… ×62'] },
  },
];
