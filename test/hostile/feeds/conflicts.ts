import type { HostileFeed } from '../hostile-feed.ts';
import { atom, atomItem, entry, history, mergedAs, rejectedBy, rssItem, sync } from '../markup.ts';

/** An entry with these conflicts. */
const holding = (conflicts: string, attributes = ''): string =>
  entry('x', '', sync('x', { by: 'top', inside: `<sx:conflicts>${conflicts}</sx:conflicts>`, attributes }));
const conflict = (number: number, inside = ''): string => entry('x', inside, sync('x', { by: `e${number}` }));
const conflicts = (count: number, inside = ''): string =>
  Array.from({ length: count }, (_, n) => conflict(n, inside)).join('');

/** Conflicts: many, large, of other items, inside one another. */
export const conflictBombs: readonly HostileFeed[] = [
  {
    name: 'conflicts/14-of-a-megabyte',
    body: () =>
      atom(
        Array.from({ length: 14 }, (_, n) => conflict(n, `<summary>${'x'.repeat(1_000_000)}</summary>`)).join(
          '',
        ),
      ),
    expected: {
      ...mergedAs('x'),
      conflicts: { x: 1 },
      rejected: Array<string>(12).fill('item-published-length'),
      warnings: ['repeated-item-conflict'],
    },
  },
  {
    name: 'conflicts/400',
    body: () => atom(holding(conflicts(400))),
    expected: { ...mergedAs('x'), conflicts: { x: 400 } },
  },
  {
    name: 'conflicts/more-than-may-be',
    body: () => atom(holding(conflicts(20_001))),
    expected: rejectedBy('limit-elements'),
  },
  {
    name: 'conflicts/same-one-3000-times',
    body: () => atom(holding(conflict(1).repeat(3000))),
    expected: { ...mergedAs('x'), conflicts: { x: 1 } },
  },
  {
    name: 'conflicts/with-many-histories',
    body: () => {
      const histories = (n: number): string =>
        Array.from({ length: 100 }, (_, m) => history(1, `e${n}-${m}`)).join('');
      const version = (n: number): string =>
        entry('x', '', `<sx:sync id="x" updates="100">${histories(n)}</sx:sync>`);
      return atom(holding(Array.from({ length: 40 }, (_, n) => version(n)).join('')));
    },
    expected: { ...mergedAs('x'), conflicts: { x: 40 } },
  },
  {
    name: 'conflicts/of-other-items',
    body: () => atom(holding(entry('y') + entry('first'))),
    expected: rejectedBy('conflict-id'),
  },
  {
    name: 'conflicts/without-sync',
    body: () => atom(holding('<entry><title>T</title></entry>')),
    expected: rejectedBy('conflict-sync-required'),
  },
  {
    name: 'conflicts/with-broken-sync',
    body: () => atom(holding(entry('x', '', '<sx:sync id="x" updates="0"/>'))),
    expected: rejectedBy('sync-updates-range'),
  },
  {
    name: 'conflicts/with-two-syncs',
    body: () => atom(holding(entry('x', '', sync('x') + sync('x')))),
    expected: rejectedBy('sync-multiple'),
  },
  {
    name: 'conflicts/noconflicts',
    body: () => atom(holding(conflicts(3), ' noconflicts="true"')),
    expected: mergedAs('x'),
  },
  {
    name: 'conflicts/that-are-no-items',
    body: () => atom(holding('<a xmlns="urn:a"/>text<title/>')),
    expected: mergedAs('x'),
  },
  {
    name: 'conflicts/in-the-other-format',
    body: () => atom(holding(`<item xmlns=""><title>T</title>${sync('x', { by: 'e' })}</item>`)),
    expected: { ...mergedAs('x'), conflicts: { x: 1 } },
  },
  {
    name: 'conflicts/in-the-other-format-of-rss',
    body: () =>
      rssItem(
        '',
        sync('x', {
          inside:
            '<sx:conflicts><entry xmlns="http://www.w3.org/2005/Atom"><title type="html">&lt;b>' +
            `</title>${sync('x', { by: 'e' })}</entry></sx:conflicts>`,
        }),
      ),
    into: 'rss',
    expected: { ...mergedAs('x'), conflicts: { x: 1 } },
  },
  {
    name: 'conflicts/in-two-holders',
    body: () =>
      atomItem(
        '',
        sync('x', {
          by: 'top',
          inside: `<sx:conflicts>${conflict(1)}</sx:conflicts><sx:conflicts>${conflict(2)}</sx:conflicts>`,
        }),
      ),
    expected: { ...mergedAs('x'), conflicts: { x: 2 } },
  },
  {
    name: 'conflicts/of-itself',
    body: () => atom(holding(entry('x', '', sync('x', { by: 'top' })))),
    expected: mergedAs('x'),
  },
  {
    name: 'conflicts/that-subsume-the-item',
    body: () =>
      atom(
        holding(
          entry('x', '', `<sx:sync id="x" updates="2">${history(2, 'e')}${history(1, 'top')}</sx:sync>`),
        ),
      ),
    expected: { ...mergedAs('x'), conflicts: { x: 1 } },
  },
  {
    name: 'conflicts/with-foreign-markup',
    body: () => atom(holding(`${conflict(1)}<b:c xmlns:b="urn:b"/>`.repeat(3))),
    expected: { ...mergedAs('x'), conflicts: { x: 1 } },
  },
  {
    name: 'conflicts/that-are-deleted',
    body: () =>
      atom(
        holding(entry('x', '', `<sx:sync id="x" updates="1" deleted="true">${history(1, 'e')}</sx:sync>`)),
      ),
    expected: { ...mergedAs('x'), conflicts: { x: 1 } },
  },
  {
    name: 'conflicts/with-a-long-base',
    body: () =>
      atom(holding(conflicts(100)), { root: ` xml:base="http://a.example/${'b'.repeat(16_000)}/"` }),
    expected: { ...mergedAs('x'), conflicts: { x: 100 } },
  },
  {
    name: 'conflicts/with-many-children-and-a-long-base',
    body: () =>
      atom(
        entry('x', '<category term=""/>'.repeat(8000)) +
          entry('x', '<category term=""/>'.repeat(8000), sync('x', { by: 'e' })),
        { root: ` xml:base="http://a.example/${'b'.repeat(1000)}/"` },
      ),
    expected: rejectedBy('limit-item-length', 'limit-item-length'),
  },
];
