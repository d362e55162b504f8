import { into } from '../hostile-feed.ts';
import { cseNamespace } from '../markup.ts';

const date = 'Thu, 01 Jan 2026 00:00:00 GMT';
const item = (guid: string, inside = ''): string =>
  `<item><guid isPermaLink="false">${guid}</guid><title>T</title>` +
  `<csx:lastBuildDate>${date}</csx:lastBuildDate>${inside}</item>`;
const feed = (poison: string, { root = '', head = '' } = {}): string =>
  `<rss version="2.0" xmlns:csx="${cseNamespace}"${root}><channel><title>F</title>` +
  `<lastBuildDate>${date}</lastBuildDate>${head}${item('first')}${poison}${item('last')}</channel></rss>`;
const link = (url: string, attributes = ''): string => `<csx:link${attributes}>${url}</csx:link>`;
const nested = (url: string): string => link(url, ' nestedFeed="true"');
const merged = (...guids: string[]) => ({
  merged: ['root:first', 'root:last', ...guids.map((guid) => `root:${guid}`)],
});

/** Trees of feeds (Content Sync Extensions). */
export const trees = into('tree', [
  { name: 'trees/plain', body: () => feed(item('x')), into: 'tree', expected: merged('x') },
  {
    name: 'trees/leads-to-itself',
    body: () => feed(item('x', nested('/feed'))),
    expected: merged(),
  },
  {
    name: 'trees/in-a-circle',
    body: () => feed(item('x', nested('/a'))),
    documents: {
      '/a': () => feed(item('y', nested('/b'))),
      '/b': () => feed(item('z', nested('/a') + nested('/feed'))),
    },
    expected: {
      merged: ['a-…:first', 'a-…:last', 'a-…:y', 'b-…:first', 'b-…:last', 'b-…:z', ...merged('x').merged],
      warnings: ['cse-nested-feed-multiple'],
    },
  },
  {
    name: 'trees/on-a-private-network',
    body: () =>
      feed(
        item(
          'x',
          nested('http://10.0.0.1/a') +
            link('http://169.254.169.254/latest/') +
            link('http://168.63.129.16/machine'),
        ),
      ),
    expected: { ...merged(), failed: ['http://10.0.0.1/a address-refused'] },
  },
  {
    name: 'trees/links-that-are-none',
    body: () =>
      feed(
        item(
          'x',
          [
            '',
            ' ',
            'http://[',
            'javascript:alert(1)',
            'file:///etc/passwd',
            'data:,x',
            '#',
            '../../../../etc/passwd',
          ]
            .map((url) => link(url))
            .join(''),
        ),
      ),
    expected: {
      ...merged(),
      warnings: ['cse-link-empty', 'cse-link-url'],
      failed: [
        'data:,x url-scheme',
        'file:///etc/passwd url-scheme',
        '/etc/passwd http-status',
        'javascript:alert(1) url-scheme',
      ],
    },
  },
  {
    name: 'trees/long-links',
    body: () => feed(item('x', link(`/${'a'.repeat(100)}`) + link(`/${'b'.repeat(500_000)}`))),
    expected: { ...merged(), warnings: ['cse-link-url'], failed: [`/${'a'.repeat(100)} http-status`] },
  },
  {
    name: 'trees/many-links',
    body: () =>
      feed(item('x', Array.from({ length: 5001 }, (_, n) => link(`/${n}`, ' onDemand="true"')).join(''))),
    expected: { refused: 'limit-item-links' },
  },
  {
    name: 'trees/most-links',
    body: () =>
      feed(item('x', Array.from({ length: 700 }, (_, n) => link(`/${n}`, ' onDemand="true"')).join(''))),
    expected: merged('x'),
  },
  {
    name: 'trees/same-guid',
    body: () => feed(item('x').repeat(300)),
    expected: { ...merged('x'), warnings: ['cse-guid-unique'] },
  },
  {
    name: 'trees/no-guid',
    body: () => feed('<item><title>T</title></item><item><guid/></item>'),
    expected: { ...merged('<guid/>', 'T'), warnings: ['cse-guid-required'] },
  },
  {
    name: 'trees/long-guid',
    body: () => feed(item('g'.repeat(100_000)) + item('h'.repeat(4096))),
    expected: merged('sha256-7bcf2941… (76)', 'sha256-91ef5f1c… (76)'),
  },
  {
    name: 'trees/odd-guids',
    body: () =>
      feed(
        ['..', '.', '/', '%2F', '__proto__', '$where', 'a&#10;b', 'root', ' ']
          .map((guid) => item(guid))
          .join(''),
      ),
    expected: {
      ...merged('$where', '%2F', '.', '..', '/', 'T', '__proto__', 'a\nb', 'root'),
      warnings: ['cse-guid-required'],
    },
  },
  {
    name: 'trees/dates',
    body: () =>
      feed(
        ['now', 'Thu, 01 Jan 9999 00:00:00 GMT', '', 'Thu, 01 Jan 0000 00:00:00 GMT']
          .map((at, n) => item(`d${n}`).replace(date, at))
          .join(''),
      ),
    expected: {
      ...merged('d0', 'd1', 'd2', 'd3'),
      warnings: ['cse-last-build-date-format', 'cse-last-build-date-syntax'],
    },
  },
  {
    name: 'trees/nested-feed-that-is-none',
    body: () => feed(item('x', nested('/a')) + item('y', nested('/b')) + item('z', link('/c'))),
    documents: { '/a': () => '<html/>', '/b': () => '<rss', '/c': () => '<!DOCTYPE a [<!ENTITY b "c">]>' },
    expected: { ...merged('z'), failed: ['/a feed-root', '/b xml-well-formed'] },
  },
  {
    name: 'trees/namespaces',
    body: () =>
      feed(item('x', '<a0:b/>'.repeat(500)), {
        root: Array.from({ length: 200 }, (_, n) => ` xmlns:a${n}="urn:${n}:${'n'.repeat(4000)}"`).join(''),
      }),
    expected: merged('x'),
  },
  {
    name: 'trees/deep-item',
    body: () => feed(item('x', '<a>'.repeat(61) + '</a>'.repeat(61))),
    expected: merged('x'),
  },
  {
    name: 'trees/many-attributes',
    body: () => feed(item('x', `<a${Array.from({ length: 256 }, (_, n) => ` a${n}=""`).join('')}/>`)),
    expected: merged('x'),
  },
  {
    name: 'trees/large-item',
    body: () => feed(item('x', `<description>${'d'.repeat(4_100_000)}</description>`)),
    expected: merged('x'),
  },
  {
    name: 'trees/atom',
    body: () => '<feed xmlns="http://www.w3.org/2005/Atom"/>',
    expected: { refused: 'cse-format' },
  },
  {
    name: 'trees/cut',
    body: () => feed('').slice(0, -10),
    expected: { refused: 'xml-well-formed' },
  },
  {
    name: 'trees/head',
    body: () =>
      feed(item('x'), {
        head:
          '<a:b xmlns:a="urn:a" xmlns:csx="urn:other"><csx:c/></a:b>' +
          '<csx:lastBuildDate>never</csx:lastBuildDate><image><url>javascript:a</url></image>',
      }),
    expected: merged('x'),
  },
  {
    name: 'trees/csx-is-another',
    body: () =>
      feed(
        '<item xmlns:csx="urn:other" csx:a="1"><guid>x</guid><title>T</title><csx:link>/a</csx:link>' +
          `<c:link xmlns:c="${cseNamespace}" c:onDemand="true">/b</c:link></item>`,
      ),
    expected: merged('x'),
  },
]);
