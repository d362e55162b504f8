import type { HostileFeed } from '../hostile-feed.ts';
import { atom, atomItem, entry, history, item, mergedAs, rejectedBy, rss, rssItem, sync } from '../markup.ts';

const attributes = (count: number, name = 'a', value = 'v'): string =>
  Array.from({ length: count }, (_, n) => ` ${name}${n}="${value}"`).join('');
const namespaces = (count: number, from = 0): string =>
  Array.from({ length: count }, (_, n) => ` xmlns:p${n + from}="urn:p${n + from}"`).join('');
const qualified = (count: number): string =>
  Array.from({ length: count }, (_, n) => ` p${n}:a="${n}"`).join('');

/** Attributes without end, in every place that is written again. */
export const manyAttributes: readonly HostileFeed[] = [
  {
    name: 'attributes/most',
    body: () => atomItem(`<x:a xmlns:x="urn:x"${attributes(239)}/>`),
    expected: mergedAs('x'),
  },
  {
    name: 'attributes/more-than-an-item-may-have',
    body: () => atomItem(`<x:a xmlns:x="urn:x"${attributes(240)}/>`),
    expected: rejectedBy('limit-attributes'),
  },
  {
    name: 'attributes/most-in-conflict',
    body: () =>
      rss(['a', 'b'].map((by) => item('x', `<a${attributes(240)}/>`, sync('x', { by }))).join(''), {
        root: ' xml:base="http://a.example/" xml:lang="en"',
      }),
    into: 'rss',
    expected: { ...mergedAs('x'), conflicts: { x: 1 }, warnings: ['repeated-item-conflict'] },
  },
  {
    name: 'attributes/scope-of-a-conflict',
    body: () => {
      const children = Array.from({ length: 300 }, (_, n) => `<p${n}:a/>`).join('');
      return atom(
        `<entry${namespaces(100)}><title>T</title><sx:sync id="x" updates="1"${namespaces(100, 100)}>` +
          `${history(1, 'a')}<sx:conflicts${namespaces(100, 200)}>` +
          `${entry('x', children, sync('x', { by: 'b' }))}</sx:conflicts></sx:sync></entry>`,
      );
    },
    expected: rejectedBy('limit-attributes'),
  },
  {
    name: 'attributes/scope-of-foreign-markup',
    body: () =>
      atomItem(
        '',
        `<sx:sync id="x" updates="1"${namespaces(150)}>${history(1, 'a')}<p0:a${attributes(50)}>` +
          `${Array.from({ length: 150 }, (_, n) => `<p${n}:a/>`).join('')}</p0:a>` +
          `<p1:a${attributes(150)}>${Array.from({ length: 150 }, (_, n) => `<p${n}:a/>`).join('')}` +
          '</p1:a></sx:sync>',
      ),
    expected: rejectedBy('limit-attributes'),
  },
  {
    name: 'attributes/xhtml-in-a-wide-scope',
    body: () =>
      atom(
        entry(
          'x',
          '<content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml">' +
            `${Array.from({ length: 230 }, (_, n) => `<p${n}:a/>`).join('')}</div></content>`,
        ),
        { root: namespaces(230) },
      ),
    expected: mergedAs('x'),
  },
  {
    name: 'attributes/one-more',
    body: () => atomItem(`<x:a xmlns:x="urn:x"${attributes(256)}/>`),
    expected: rejectedBy('limit-attributes'),
  },
  {
    name: 'attributes/million',
    body: () => atomItem(`<a${attributes(1_000_000)}/>`),
    expected: rejectedBy('limit-attributes'),
  },
  {
    name: 'attributes/twice',
    body: () => atomItem('<a b="1" b="2"/>'),
    expected: { refused: 'xml-well-formed' },
  },
  {
    name: 'attributes/twice-by-namespace',
    body: () => atomItem('<a xmlns:p="urn:p" xmlns:q="urn:p" p:b="1" q:b="2"/>'),
    expected: { refused: 'xml-well-formed' },
  },
  {
    name: 'attributes/long',
    body: () => atomItem(`<x:a xmlns:x="urn:x" b="${'v'.repeat(1_000_000)}"/>`),
    expected: mergedAs('x'),
  },
  {
    name: 'attributes/of-item',
    body: () => atom(`<entry${attributes(256)}><title>T</title>${sync('x')}</entry>`),
    expected: rejectedBy('limit-attributes'),
  },
  {
    name: 'attributes/of-item-with-namespaces',
    body: () =>
      atom(`<entry${qualified(200)}><title>T</title>${sync('x')}</entry>`, { root: namespaces(200) }),
    expected: rejectedBy('limit-attributes'),
  },
  {
    name: 'attributes/of-rss-item-with-namespaces',
    body: () => rss(`<item${qualified(128)}><title>T</title>${sync('x')}</item>`, { root: namespaces(128) }),
    into: 'rss',
    expected: rejectedBy('limit-attributes'),
  },
  {
    name: 'attributes/namespaces-of-children',
    body: () =>
      atom(entry('x', Array.from({ length: 230 }, (_, n) => `<p${n}:a/>`).join('')), {
        root: namespaces(230),
      }),
    expected: mergedAs('x'),
  },
  {
    name: 'attributes/namespaces-of-children-in-conflict',
    body: () =>
      atom(
        ['a', 'b']
          .map((by) =>
            entry('x', Array.from({ length: 230 }, (_, n) => `<p${n}:a/>`).join(''), sync('x', { by })),
          )
          .join(''),
        { root: namespaces(230) },
      ),
    expected: { ...mergedAs('x'), conflicts: { x: 1 }, warnings: ['repeated-item-conflict'] },
  },
  {
    name: 'attributes/of-sync',
    body: () =>
      atomItem(
        '',
        `<sx:sync id="x" updates="1"${qualified(110)}${namespaces(110)}>${history(1, 'a')}</sx:sync>`,
      ),
    expected: mergedAs('x'),
  },
  {
    name: 'attributes/of-sync-from-root',
    body: () =>
      atom(entry('x', '', `<sx:sync id="x" updates="1"${qualified(230)}>${history(1, 'a')}</sx:sync>`), {
        root: namespaces(230),
      }),
    expected: mergedAs('x'),
  },
  {
    name: 'attributes/of-histories',
    body: () =>
      atomItem(
        '',
        `<sx:sync id="x" updates="1">${Array.from(
          { length: 200 },
          (_, n) => `<sx:history sequence="1" by="e${n}" p:a="1" xmlns:p="urn:p${n}"/>`,
        ).join('')}</sx:sync>`,
      ),
    expected: mergedAs('x'),
  },
  {
    name: 'attributes/most-of-a-child-in-another-scope',
    body: () => atom(entry('x', `<p0:a${qualified(200)}/>`), { root: namespaces(200) }),
    expected: mergedAs('x'),
  },
  {
    name: 'attributes/reserved-names',
    body: () =>
      atomItem('<x:a xmlns:x="urn:x" __proto__="1" constructor="2" toString="3" hasOwnProperty="4"/>'),
    expected: mergedAs('x'),
  },
  {
    name: 'attributes/without-quotes',
    body: () => atomItem('<a b=c/>'),
    expected: { refused: 'xml-well-formed' },
  },
  {
    name: 'attributes/less-than',
    body: () => atomItem('<a b="<"/>'),
    expected: { refused: 'xml-well-formed' },
  },
  {
    name: 'attributes/line-breaks',
    body: () => atomItem('<x:a xmlns:x="urn:x" b="1&#10;2&#9;3&#13;4\r\n5"/>'),
    expected: mergedAs('x'),
  },
  {
    name: 'attributes/on-synchronisation',
    body: () => rssItem('', `<sx:sync id="x" updates="1" ${attributes(200)}>${history(1, 'a')}</sx:sync>`),
    into: 'rss',
    expected: mergedAs('x'),
  },
];
