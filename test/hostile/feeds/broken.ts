import type { HostileFeed } from '../hostile-feed.ts';
import { atom, atomItem, entry, history, mergedAs, neighbours, sync } from '../markup.ts';

const whole = atomItem(
  '<summary type="html">&lt;b></summary><!-- c --><?p i?><a:b xmlns:a="urn:a"><![CDATA[d]]></a:b>',
);
const illFormed = { refused: 'xml-well-formed' };

/**
 * The document up to after each of these, the neighbours of which are not accepted either: half a feed may be
 * another feed.
 */
const cuts = [
  '<feed',
  'xmlns="',
  '<title>',
  '<title>F',
  '</tit',
  '<entry>',
  '<sx:sync id="first"',
  'updates="1"',
  '<sx:history',
  '</sx:sync>',
  '</entry>',
  '<summary',
  '&l',
  '&lt;b>',
  '<!',
  '<!-- c',
  '<!-- c --',
  '<?p',
  '<?p i',
  '<![CDA',
  '<![CDATA[d]',
  'a:b>',
  '</entry><entry><title>T</title><sx:sync id="last"',
  '</feed',
];

/** Feeds that break off, and what is not well-formed. */
export const broken: readonly HostileFeed[] = [
  ...cuts.map((cut, number) => ({
    name: `broken/cut-${number}-after ${cut.slice(0, 20)}`,
    body: () => whole.slice(0, whole.indexOf(cut) + cut.length),
    expected: illFormed,
  })),
  {
    name: 'broken/cut-in-a-character',
    body: () => Buffer.from(atomItem('<summary>\u{1F600}</summary>')).subarray(0, -170),
    expected: { refused: 'xml-well-formed' },
  },
  { name: 'broken/end-tags-crossed', body: () => atom('<entry><a><b></a></b></entry>'), expected: illFormed },
  { name: 'broken/end-tag-too-many', body: () => atom('</entry>'), expected: illFormed },
  { name: 'broken/end-tag-with-attributes', body: () => atom('<entry></entry a="b">'), expected: illFormed },
  { name: 'broken/case', body: () => atom('<entry></Entry>'), expected: illFormed },
  { name: 'broken/two-roots', body: () => atom('') + atom(''), expected: illFormed },
  {
    name: 'broken/text-after-the-end',
    body: () => `${atom(entry('x'))}<!-- c --> more`,
    expected: illFormed,
  },
  { name: 'broken/garbage-before', body: () => `garbage${atom('')}`, expected: illFormed },
  {
    name: 'broken/spaces-before-the-declaration',
    body: () => `  <?xml version="1.0"?>${atom('')}`,
    expected: illFormed,
  },
  { name: 'broken/spaces-around', body: () => `\n\n ${atom(entry('x'))}\n\n `, expected: mergedAs('x') },
  { name: 'broken/empty', body: () => '', expected: illFormed },
  { name: 'broken/white-space-only', body: () => ' '.repeat(1_000_000), expected: illFormed },
  { name: 'broken/less-than-only', body: () => '<'.repeat(1_000_000), expected: illFormed },
  {
    name: 'broken/ampersands',
    body: () => atomItem(`<summary>${'&'.repeat(100_000)}</summary>`),
    expected: illFormed,
  },
  { name: 'broken/names', body: () => atom('<1a/>'), expected: illFormed },
  {
    name: 'broken/long-name',
    body: () => atom(`<${'a'.repeat(3_000_000)}/>`),
    expected: { ...neighbours, warnings: ['limit-head-length'] },
  },
  {
    name: 'broken/long-name-in-an-item',
    body: () => atomItem(`<${'a'.repeat(1_000_000)}/>`),
    expected: mergedAs('x'),
  },
  {
    name: 'broken/white-space-flood',
    body: () => atom(' '.repeat(3_000_000) + entry('x') + '\n'.repeat(500_000)),
    expected: mergedAs('x'),
  },
  {
    name: 'broken/white-space-flood-beyond-the-limit',
    body: () => atom(' '.repeat(5_000_000)),
    expected: neighbours,
  },
  {
    name: 'broken/white-space-in-tags',
    body: () => atomItem(`<a${' '.repeat(300_000)}xmlns="urn:a"${'\n'.repeat(300_000)}/>`),
    expected: mergedAs('x'),
  },
  {
    name: 'broken/white-space-in-sync',
    body: () =>
      atomItem('', `<sx:sync${'\t'.repeat(500_000)}id="x" updates="1">${history(1, 'a')}</sx:sync>`),
    expected: mergedAs('x'),
  },
  {
    name: 'broken/comments',
    body: () => atom(`<!--${'-c'.repeat(500_000)}-->${entry('x', '<!-- a -->'.repeat(50_000))}`),
    expected: mergedAs('x'),
  },
  { name: 'broken/comment-with-two-hyphens', body: () => atom('<!-- a -- b -->'), expected: illFormed },
  {
    name: 'broken/comment-with-markup',
    body: () => atomItem(`<!-- ${sync('y')} </entry> <!DOCTYPE a> ]]> &b; -->`),
    expected: mergedAs('x'),
  },
  {
    name: 'broken/instructions',
    body: () =>
      atom(
        `<?${'p'.repeat(100_000)} ${'? '.repeat(500_000)}?>${entry(
          'x',
          '<?php echo 1 ?><?xml-stylesheet href="http://evil.example/"?>',
        )}`,
      ),
    expected: mergedAs('x'),
  },
  {
    name: 'broken/declaration-within',
    body: () => atomItem('<?xml version="1.0"?>'),
    expected: illFormed,
  },
  {
    name: 'broken/CDATA-flood',
    body: () => atomItem(`<summary>${'<![CDATA[]]>'.repeat(30_000)}</summary>`),
    expected: mergedAs('x'),
  },
  {
    name: 'broken/CDATA-with-markup',
    body: () =>
      atomItem(`<summary type="html"><![CDATA[</summary></entry><!ENTITY &a; ]]]]><![CDATA[>]]></summary>`),
    expected: mergedAs('x'),
  },
  {
    name: 'broken/CDATA-end-in-text',
    body: () => atomItem('<summary>a ]]> b</summary>'),
    expected: illFormed,
  },
  {
    name: 'broken/CDATA-in-sync',
    body: () =>
      atomItem('', `<sx:sync id="x" updates="1"><![CDATA[${history(1, 'b')}]]>${history(1, 'a')}</sx:sync>`),
    expected: mergedAs('x'),
  },
  { name: 'broken/CDATA-outside', body: () => `<![CDATA[a]]>${atom('')}`, expected: illFormed },
  {
    name: 'broken/many-line-breaks-before-each-item',
    body: () =>
      atom(
        Array.from({ length: 300 }, (_, n) => '\n'.repeat(3000) + entry(`i${n}`, '', '<sx:sync/>')).join(''),
      ),
    expected: { merged: ['first', 'last'], rejected: ['sync-updates-required'] },
  },
];
