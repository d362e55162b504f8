import type { HostileFeed } from '../hostile-feed.ts';
import {
  atom,
  atomItem,
  atomNamespace,
  entry,
  history,
  mergedAs,
  rejectedBy,
  rss,
  rssItem,
  sync,
  syncNamespace,
} from '../markup.ts';

const wide = Array.from({ length: 200 }, (_, n) => ` xmlns:a${n}="urn:${n}:${'n'.repeat(4000)}"`).join('');
const many = Array.from({ length: 100 }, (_, n) => entry(`i${n}`)).join('');
const manyMerged = ['first', 'i0', '… ×102'];

/**
 * Namespaces, `xml:base` and `xml:lang`: what an item inherits, and prefixes that ours could be taken for.
 */
export const namespaces: readonly HostileFeed[] = [
  {
    name: 'namespaces/wide-and-unused',
    body: () => atom(many, { root: wide }),
    expected: { merged: manyMerged },
  },
  {
    name: 'namespaces/wide-and-used-in-text',
    body: () =>
      atom(entry('x', `<summary>${Array.from({ length: 200 }, (_, n) => `a${n}:b`).join(' ')}</summary>`), {
        root: wide,
      }),
    expected: rejectedBy('limit-inherited-length'),
  },
  {
    name: 'namespaces/wide-and-used-one-by-one',
    body: () =>
      atom(Array.from({ length: 100 }, (_, n) => entry(`i${n}`, `<a${n}:b/>`)).join(''), { root: wide }),
    expected: { merged: ['first', 'i0', '… ×102'] },
  },
  {
    name: 'namespaces/inherited-by-conflicts',
    body: () => {
      const version = (n: number): string => entry('x', '<b:c/>', sync('x', { by: `e${n}` }));
      const conflicts = Array.from({ length: 800 }, (_, n) => version(n)).join('');
      const inside = `<sx:conflicts>${conflicts}</sx:conflicts>`;
      return atom(entry('x', '<b:c/>', sync('x', { inside })), {
        root: ` xmlns:b="urn:${'b'.repeat(12_000)}"`,
      });
    },
    expected: rejectedBy('limit-item-length'),
  },
  {
    name: 'namespaces/inherited-by-children',
    body: () =>
      atom(entry('x', '<b:c xmlns=""/>'.repeat(8000)), { root: ` xmlns:b="urn:${'b'.repeat(12_000)}"` }),
    expected: rejectedBy('limit-item-length'),
  },
  {
    name: 'namespaces/long-base',
    body: () => atom(many, { root: ` xml:base="http://a.example/${'b'.repeat(1_000_000)}/"` }),
    expected: { refused: 'limit-inherited-length' },
  },
  {
    name: 'namespaces/base-of-16-kB',
    body: () =>
      atom(Array.from({ length: 20 }, (_, n) => entry(`i${n}`, '<link href="c"/>')).join(''), {
        root: ` xml:base="http://a.example/${'b'.repeat(16_000)}/"`,
      }),
    expected: { merged: ['first', 'i0', '… ×22'] },
  },
  {
    name: 'namespaces/base-of-each-child',
    body: () => atomItem(`<link xml:base="http://a.example/${'b'.repeat(15_000)}/" href="c"/>`.repeat(60)),
    expected: mergedAs('x'),
  },
  {
    name: 'namespaces/base-that-is-none',
    body: () => atom(entry('x', '<link href="c"/>'), { root: ' xml:base="http://["' }),
    expected: mergedAs('x'),
  },
  {
    name: 'namespaces/base-of-javascript',
    body: () => atom(entry('x', '<link href="alert(1)"/>'), { root: ' xml:base="javascript:"' }),
    expected: mergedAs('x'),
  },
  {
    name: 'namespaces/long-language',
    body: () => atom(entry('x'), { root: ` xml:lang="${'l'.repeat(1_000_000)}"` }),
    expected: { refused: 'limit-inherited-length' },
  },
  {
    name: 'namespaces/odd-language-and-space',
    body: () => atomItem('<summary xml:lang="&lt;&quot;" xml:space="nonsense"> a </summary>'),
    expected: mergedAs('x'),
  },
  {
    name: 'namespaces/sx-is-another',
    body: () =>
      `<feed xmlns="${atomNamespace}" xmlns:sx="urn:other" xmlns:fs="${syncNamespace}"><entry>` +
      '<title>T</title><sx:sync id="no"/><fs:sync id="x" updates="1">' +
      '<fs:history sequence="1" by="a"/></fs:sync></entry></feed>',
    expected: { merged: ['x'] },
  },
  {
    name: 'namespaces/sx-is-another-in-the-item',
    body: () =>
      atom(
        '<entry><title>T</title><a:b xmlns:a="urn:a" xmlns:sx="urn:other" sx:c="1"><sx:sync/>' +
          `</a:b>${sync('x')}</entry>`,
      ),
    expected: mergedAs('x'),
  },
  {
    name: 'namespaces/sx-is-another-on-the-item',
    body: () =>
      atom(
        '<entry xmlns:sx="urn:other" sx:a="1"><title>T</title><sx:b/>' +
          `<f:sync xmlns:f="${syncNamespace}" id="x" updates="1" sx:c="2">` +
          '<f:history sequence="1" by="a" sx:d="3"/><sx:e/></f:sync></entry>',
      ),
    expected: mergedAs('x'),
  },
  {
    name: 'namespaces/atom-is-another-in-rss',
    body: () =>
      rss(
        '<item xmlns:atom="urn:other" atom:a="1"><title>T</title>' +
          `<atom:link rel="edit" href="x"/>${sync('x')}</item>`,
      ),
    into: 'rss',
    expected: mergedAs('x'),
  },
  {
    name: 'namespaces/fm-and-n0',
    body: () =>
      atom(
        '<entry xmlns:fm="urn:fm" xmlns:n0="urn:n0" xmlns:n1="urn:n1" xmlns:n2="urn:n2" fm:a="1" ' +
          'n0:a="1" n1:a="2"><title>T</title><fm:b/><n2:c/>' +
          `${sync('x', { attributes: ' xmlns:p="urn:p" p:a="1"' })}</entry>`,
      ),
    expected: mergedAs('x'),
  },
  {
    name: 'namespaces/default-is-FeedSync',
    body: () =>
      `<a:feed xmlns:a="${atomNamespace}" xmlns="${syncNamespace}"><a:entry><a:title>T</a:title>` +
      '<sync id="x" updates="1"><history sequence="1" by="a"/></sync></a:entry></a:feed>',
    expected: { merged: ['x'] },
  },
  {
    name: 'namespaces/no-default',
    body: () => atom(`<entry><title>T</title><b xmlns=""><c/></b>${sync('x')}</entry>`),
    expected: mergedAs('x'),
  },
  {
    name: 'namespaces/rss-in-a-namespace',
    body: () =>
      `<rss version="2.0" xmlns="urn:rss" xmlns:sx="${syncNamespace}"><channel><title>F</title><item>` +
      `<title>T</title>${sync('x')}</item></channel></rss>`,
    into: 'rss',
    expected: { merged: ['x'] },
  },
  {
    name: 'namespaces/unbound-prefix',
    body: () => atomItem('<b:c/>'),
    expected: { refused: 'xml-well-formed' },
  },
  {
    name: 'namespaces/unbound-by-empty',
    body: () => atomItem('<b:c xmlns:b=""/>'),
    expected: { refused: 'xml-well-formed' },
  },
  {
    name: 'namespaces/xml-is-another',
    body: () => atomItem('<b xmlns:xml="urn:x"/>'),
    expected: { refused: 'xml-well-formed' },
  },
  {
    name: 'namespaces/xmlns-declared',
    body: () => atomItem('<b xmlns:xmlns="http://www.w3.org/2000/xmlns/"/>'),
    expected: { refused: 'xml-well-formed' },
  },
  {
    name: 'namespaces/default-is-xmlns',
    body: () => atomItem('<b xmlns="http://www.w3.org/2000/xmlns/"/>'),
    expected: { refused: 'xml-well-formed' },
  },
  {
    name: 'namespaces/two-colons',
    body: () => atomItem('<a:b:c xmlns:a="urn:a"/>'),
    expected: { refused: 'xml-well-formed' },
  },
  {
    name: 'namespaces/colons-in-text',
    body: () => atom(entry('x', `<summary>${':'.repeat(300_000)}</summary>`), { root: ' xmlns:a="urn:a"' }),
    expected: mergedAs('x'),
  },
  {
    name: 'namespaces/long-name-before-a-colon',
    body: () =>
      atom(entry('x', `<summary>${'a'.repeat(1_500_000)}: ${'b:'.repeat(100_000)}</summary>`), {
        root: ' xmlns:a="urn:a"',
      }),
    expected: mergedAs('x'),
  },
  {
    name: 'namespaces/long-prefix',
    body: () => atomItem(`<${'p'.repeat(4000)}:a xmlns:${'p'.repeat(4000)}="urn:a"/>`),
    expected: mergedAs('x'),
  },
  {
    name: 'namespaces/with-markup',
    body: () =>
      atom(entry('x', '<p:a xmlns:p="&lt;&quot;&amp;&#10;>"/><q:b/>'), { root: ' xmlns:q="&#9;&lt;&quot;"' }),
    expected: mergedAs('x'),
  },
  {
    name: 'namespaces/upper-case',
    body: () =>
      `<feed xmlns="${atomNamespace}" xmlns:sx="${syncNamespace.toUpperCase()}">${entry('x')}</feed>`,
    expected: { merged: [], plain: 1, warnings: ['item-synchronised'] },
  },
  {
    name: 'namespaces/of-nobody',
    body: () => `<feed xmlns:sx="${syncNamespace}">${entry('x')}</feed>`,
    expected: { refused: 'feed-root' },
  },
  {
    name: 'namespaces/declared-by-each-history',
    body: () =>
      rssItem(
        '',
        `<sx:sync id="x" updates="1">${Array.from(
          { length: 1500 },
          (_, n) => `<sx:history xmlns:p="urn:p" sequence="1" by="e${n}" p:a=""/>`,
        ).join('')}</sx:sync>`,
      ),
    into: 'rss',
    expected: mergedAs('x'),
  },
  {
    name: 'namespaces/sync-in-another-dialect',
    body: () =>
      atomItem('', '<s:sync xmlns:s="http://www.microsoft.com/schemas/rss/sse" id="x" version="1"/>'),
    expected: { ...mergedAs(), plain: 1, warnings: ['item-synchronised'] },
  },
  {
    name: 'namespaces/history-without-prefix',
    body: () => atomItem('', `<sx:sync id="x" updates="1"><history sequence="1" by="a"/></sx:sync>`),
    expected: { merged: ['first', 'last'], rejected: ['sync-history-required'] },
  },
  {
    name: 'namespaces/history-by-default',
    body: () =>
      atomItem(
        '',
        `<sync xmlns="${syncNamespace}" id="x" updates="1">${history(1, 'a').replace('sx:', '')}</sync>`,
      ),
    expected: mergedAs('x'),
  },
];
