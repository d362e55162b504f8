import type { HostileFeed } from '../hostile-feed.ts';
import { atom, atomItem, entry, history, item, mergedAs, rejectedBy, rss, rssItem, sync } from '../markup.ts';

const nested = (depth: number, name = 'a'): string => `<${name}>`.repeat(depth) + `</${name}>`.repeat(depth);
const foreign = (depth: number): string => nested(depth, 'x:a').replace('<x:a>', '<x:a xmlns:x="urn:x">');

/** An entry with conflicts in conflicts, so many levels of them. */
function conflictsWithin(levels: number): string {
  let inner = '';
  for (let level = levels; level >= 0; level -= 1)
    inner = entry(
      'x',
      '',
      sync('x', { by: `e${level}`, inside: inner && `<sx:conflicts>${inner}</sx:conflicts>` }),
    );
  return inner;
}

/** Elements inside one another, in an item, beside it, and in versions that are put into one another. */
export const nesting: readonly HostileFeed[] = [
  { name: 'nesting/deepest-item', body: () => atomItem(foreign(55)), expected: mergedAs('x') },
  {
    name: 'nesting/deeper-than-an-item-may-be',
    body: () => atomItem(foreign(56)),
    expected: rejectedBy('limit-item-depth'),
  },
  {
    name: 'nesting/conflict-deeper-than-an-item-may-be',
    body: () =>
      atomItem(
        '',
        sync('x', {
          inside: `<sx:conflicts>${entry('x', foreign(56), sync('x', { by: 'b' }))}</sx:conflicts>`,
        }),
      ),
    expected: rejectedBy('limit-item-depth'),
  },
  { name: 'nesting/deeper', body: () => atomItem(foreign(63)), expected: rejectedBy('limit-depth') },
  {
    name: 'nesting/deepest-in-rss',
    body: () => rssItem(foreign(55)),
    into: 'rss',
    expected: mergedAs('x'),
  },
  {
    name: 'nesting/atom-into-rss',
    body: () => atomItem(foreign(55)),
    into: 'rss',
    expected: mergedAs('x'),
  },
  {
    name: 'nesting/deepest-conflict',
    body: () =>
      atom(entry('x', foreign(55), sync('x', { by: 'a' })) + entry('x', foreign(55), sync('x', { by: 'b' }))),
    expected: { ...mergedAs('x'), conflicts: { x: 1 }, warnings: ['repeated-item-conflict'] },
  },
  {
    name: 'nesting/deepest-conflict-in-rss',
    body: () =>
      rss(item('x', foreign(55), sync('x', { by: 'a' })) + item('x', foreign(55), sync('x', { by: 'b' }))),
    into: 'rss',
    expected: { ...mergedAs('x'), conflicts: { x: 1 }, warnings: ['repeated-item-conflict'] },
  },
  {
    name: 'nesting/deepest-history',
    body: () =>
      atomItem(
        '',
        `<sx:sync id="x" updates="1"><sx:history sequence="1" by="a">${foreign(53)}</sx:history></sx:sync>`,
      ),
    expected: mergedAs('x'),
  },
  {
    name: 'nesting/open-tags',
    body: () => atom('<entry>' + '<a>'.repeat(1_000_000)),
    expected: { refused: 'xml-well-formed' },
  },
  {
    name: 'nesting/open-tags-in-head',
    body: () => atom('', { head: '<a>'.repeat(100_000) }),
    expected: { refused: 'xml-well-formed' },
  },
  {
    name: 'nesting/entries-in-entries',
    body: () => atom(nested(30, 'entry')),
    expected: { ...mergedAs(), plain: 1, warnings: ['item-empty'] },
  },
  {
    name: 'nesting/feeds-in-entries',
    body: () => atomItem(`<feed>${entry('y')}</feed>`),
    expected: mergedAs('x'),
  },
  {
    name: 'nesting/xhtml',
    body: () =>
      atomItem(
        `<content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml">${nested(53, 'b')}</div>` +
          '</content>',
      ),
    expected: mergedAs('x'),
  },
  {
    name: 'nesting/escaped-html',
    body: () => atomItem(`<content type="html">${'&lt;b&gt;'.repeat(40_000)}</content>`),
    expected: mergedAs('x'),
  },
  {
    name: 'nesting/conflicts-in-conflicts',
    body: () => atom(conflictsWithin(19)),
    expected: { ...mergedAs('x'), conflicts: { x: 19 } },
  },
  {
    name: 'nesting/conflicts-too-deep',
    body: () => atom(conflictsWithin(21)),
    expected: rejectedBy('limit-depth'),
  },
  {
    name: 'nesting/sync-in-sync',
    body: () =>
      atomItem(
        '',
        `<sx:sync id="x" updates="1">${history(1, 'a')}${'<sx:sync id="y" updates="1">'.repeat(50)}` +
          `${'</sx:sync>'.repeat(50)}</sx:sync>`,
      ),
    expected: mergedAs('x'),
  },
  {
    name: 'nesting/wide',
    body: () => atomItem('<x:a xmlns:x="urn:x">' + '<b/>'.repeat(150_000) + '</x:a>'),
    expected: mergedAs('x'),
  },
  {
    name: 'nesting/too-many-elements',
    body: () => atomItem('<a/>'.repeat(260_000)),
    expected: rejectedBy('limit-elements'),
  },
];
