import type { HostileFeed } from '../hostile-feed.ts';
import { atom, atomItem, entry, item, mergedAs, neighbours, rss } from '../markup.ts';

const sharing = (attributes: string, inside = ''): string =>
  `<sx:sharing ${attributes}>${inside}</sx:sharing>`;
const related = (link: string, type = 'aggregated', title = 'T'): string =>
  `<sx:related link="${link}" type="${type}" title="${title}"/>`;
/** A feed with this `sx:sharing`. */
const sharingFeed = (
  name: string,
  attributes: string,
  inside: string,
  ...warnings: string[]
): HostileFeed => ({
  name: `heads/${name}`,
  body: () => atom(entry('x'), { head: sharing(attributes, inside) }),
  expected: { ...mergedAs('x'), ...(warnings.length > 0 && { warnings }) },
});

/** What stands beside the items: `sx:sharing`, foreign markup, titles. */
export const heads: readonly HostileFeed[] = [
  sharingFeed('long-window', `since="1" until="${'9'.repeat(500_000)}"`, '', 'limit-window-length'),
  sharingFeed('lone-since', 'since="1"', '', 'sharing-since-until'),
  sharingFeed('since-after-until', 'since="9" until="1"', '', 'sharing-since-after-until'),
  sharingFeed('empty-attributes', 'since="" until="" expires=""', '', 'sharing-attribute-empty'),
  sharingFeed('expires-never', 'expires="tomorrow"', '', 'sharing-expires-format'),
  sharingFeed('expires-in-9999', 'expires="9999-12-31T23:59:59Z"', ''),
  sharingFeed('expires-in-0000', 'expires="0000-01-01T00:00:00Z"', ''),
  sharingFeed(
    'related-bomb',
    '',
    Array.from({ length: 8000 }, (_, n) => related(`http://a.example/${n}`)).join(''),
  ),
  sharingFeed(
    'related-with-long-texts',
    '',
    related(`http://a.example/${'b'.repeat(400_000)}`, 'aggregated', 't'.repeat(400_000)),
  ),
  sharingFeed(
    'related-that-is-script',
    '',
    `${related('javascript:alert(1)')}${related('file:///etc/passwd')}` +
      related('data:text/html,x', 'aggregated', '&lt;b&gt;'),
    'related-title-markup',
  ),
  sharingFeed('related-relative', '', related('feed.xml'), 'related-link-absolute'),
  sharingFeed(
    'related-of-unknown-type',
    '',
    related('http://a.example/', 'other') + related('http://a.example/', ''),
    'related-attribute-empty',
    'related-type-value',
  ),
  sharingFeed(
    'related-in-related',
    '',
    '<sx:related link="http://a.example/" type="aggregated"><sx:related/></sx:related>',
    'related-place',
  ),
  sharingFeed('unknown-elements', '', '<sx:nothing/>'.repeat(5000), 'element-unknown'),
  {
    name: 'heads/complete-feed-on-a-private-network',
    body: () => atom(entry('x'), { head: sharing('', related('http://10.0.0.1/all.xml', 'complete')) }),
    isValidated: false,
    expected: { refused: 'address-refused' },
  },
  {
    name: 'heads/complete-feed-of-the-cloud',
    body: () =>
      atom(entry('x'), {
        head: sharing('', related('http://169.254.169.254/latest/meta-data/', 'complete')),
      }),
    isValidated: false,
    expected: { refused: 'address-refused' },
  },
  {
    name: 'heads/complete-feed-that-is-a-file',
    body: () => atom(entry('x'), { head: sharing('', related('file:///etc/passwd', 'complete')) }),
    isValidated: false,
    expected: { refused: 'url-scheme' },
  },
  {
    name: 'heads/complete-feed-with-a-long-address',
    body: () =>
      atom(entry('x'), {
        head: sharing('', related(`http://127.0.0.1:1/${'a'.repeat(500_000)}`, 'complete')),
      }),
    isValidated: false,
    expected: { refused: 'url-length' },
  },
  {
    name: 'heads/sharing-100-times',
    body: () => atom(entry('x'), { head: sharing('since="1" until="2"').repeat(100) }),
    expected: { ...mergedAs('x'), warnings: ['sharing-multiple'] },
  },
  {
    name: 'heads/sharing-in-an-item',
    body: () => atomItem(sharing('since="1" until="2"')),
    expected: mergedAs('x'),
  },
  {
    name: 'heads/sharing-after-the-items',
    body: () => atom(`${entry('x')}${sharing('since="1" until="2"')}`),
    expected: mergedAs('x'),
  },
  {
    name: 'heads/too-long',
    body: () => atom('', { head: `<a:b xmlns:a="urn:a">${'c'.repeat(1_200_000)}</a:b>` }),
    expected: { ...neighbours, warnings: ['limit-head-length'] },
  },
  {
    name: 'heads/foreign-markup',
    body: () => atom(entry('x'), { head: '<a:b xmlns:a="urn:a">c</a:b>'.repeat(10_000) }),
    expected: mergedAs('x'),
  },
  {
    name: 'heads/foreign-markup-with-our-prefixes',
    body: () =>
      atom(entry('x'), {
        head:
          '<sx2:b xmlns:sx2="urn:a" xmlns:sx="urn:b" sx:c="1"><sx:d/></sx2:b><b xmlns=""/>' +
          '<fm:e xmlns:fm="urn:e"/>',
      }),
    expected: mergedAs('x'),
  },
  {
    name: 'heads/foreign-markup-deep',
    body: () => atom(entry('x'), { head: `<a xmlns="urn:a">${'<b>'.repeat(61)}${'</b>'.repeat(61)}</a>` }),
    expected: mergedAs('x'),
  },
  {
    name: 'heads/foreign-markup-with-many-attributes',
    body: () =>
      atom(entry('x'), {
        head: `<b:a${Array.from({ length: 256 }, (_, n) => ` a${n}=""`).join('')}/>`,
        root: ' xmlns:b="urn:b"',
      }),
    expected: mergedAs('x'),
  },
  {
    name: 'heads/long-title',
    body: () => atom(entry('x'), { head: `<title>${'t'.repeat(900_000)}</title>` }),
    expected: mergedAs('x'),
  },
  {
    name: 'heads/titles',
    body: () =>
      rss(item('x'), {
        head:
          '<title><![CDATA[<b>&nbsp;]]></title><ttl>99999999999</ttl><ttl>-1</ttl><skipHours>' +
          '<hour>1</hour></skipHours>',
      }),
    into: 'rss',
    expected: mergedAs('x'),
  },
  {
    name: 'heads/ttl-of-a-million-years',
    body: () => rss(item('x'), { head: '<ttl>999999999</ttl>' }),
    into: 'rss',
    expected: mergedAs('x'),
  },
  {
    name: 'heads/two-channels',
    body: () => rss('').replace('</channel>', '</channel><channel></channel>'),
    into: 'rss',
    expected: { refused: 'rss-channel' },
  },
  {
    name: 'heads/no-channel',
    body: () => '<rss version="2.0"/>',
    into: 'rss',
    expected: { refused: 'rss-channel' },
  },
  {
    name: 'heads/nested-channel',
    body: () => rss('<channel><item/></channel>'),
    into: 'rss',
    expected: neighbours,
  },
  {
    name: 'heads/items-beside-the-channel',
    body: () => rss('').replace('</channel>', `</channel>${item('x')}`),
    into: 'rss',
    expected: neighbours,
  },
];
