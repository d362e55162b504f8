import { into } from '../hostile-feed.ts';
import type { HostileFeed } from '../hostile-feed.ts';
import { mergedAs, neighbours, rejectedBy, sseNamespace } from '../markup.ts';

const date = 'Thu, 01 Jan 2026 00:00:00 GMT';
const history = (by = 'there', when = date): string => `<sx:history when="${when}" by="${by}"/>`;
/** An `sx:sync` of SSE. */
const synced = (id: string, attributes = 'version="1"', inside = history()): string =>
  `<sx:sync id="${id}" ${attributes}>${inside}</sx:sync>`;
const item = (id: string, sync = synced(id), inside = ''): string =>
  `<item><title>T</title>${inside}${sync}</item>`;
const rss = (poison: string): string =>
  `<rss version="2.0" xmlns:sx="${sseNamespace}" xmlns:fm="urn:feedmesh:position"><channel>` +
  `<title>F</title>${item('first')}${poison}${item('last')}</channel></rss>`;
const outline = (id: string, inside = '', sync = synced(id)): string =>
  `<outline text="T">${sync}${inside}</outline>`;
const opml = (poison: string): string =>
  `<opml version="1.0" xmlns:sx="${sseNamespace}" xmlns:fm="urn:feedmesh:position"><head><title>F</title>` +
  `</head><body>${outline('first')}${poison}${outline('last')}</body></opml>`;
const placed = (id: string, position: string): string => synced(id, `version="1" fm:position="${position}"`);
/** An item with a conflict that holds this. */
const disputed = (inside: string, attributes = `version="1" when="${date}" by="b"`): string =>
  item(
    'x',
    synced(
      'x',
      'version="1" conflict="true"',
      `${history('a')}<sx:conflicts><sx:conflict ${attributes}>${inside}</sx:conflict></sx:conflicts>`,
    ),
  );

const nestedOutlines = (depth: number): string =>
  Array.from({ length: depth }, (_, n) => `<outline text="T">${synced(`o${n}`)}`).join('') +
  '</outline>'.repeat(depth);

/** Items of RSS with and without an order. */
const items = into('sse', [
  { name: 'sse/plain', body: () => rss(item('x')), expected: mergedAs('x') },
  {
    name: 'sse/versions-that-are-none',
    body: () =>
      rss(
        ['0', '-1', '1.5', '', '9'.repeat(17), '9'.repeat(1000)]
          .map((version) => item('x', synced('x', `version="${version}"`)))
          .join(''),
      ),
    expected: { ...neighbours, rejected: Array<string>(6).fill('sse-sync-version-range') },
  },
  {
    name: 'sse/no-version',
    body: () => rss(item('x', synced('x', ''))),
    expected: rejectedBy('sse-sync-version-required'),
  },
  {
    name: 'sse/no-id',
    body: () => rss(item('x', `<sx:sync version="1">${history()}</sx:sync>`)),
    expected: rejectedBy('sse-sync-id-required'),
  },
  {
    name: 'sse/long-id',
    body: () => rss(item('i'.repeat(4097))),
    expected: rejectedBy('sse-sync-id-length'),
  },
  {
    name: 'sse/two-syncs',
    body: () => rss(item('x', synced('x') + synced('x'))),
    expected: rejectedBy('sse-sync-multiple'),
  },
  {
    name: 'sse/greatest-version',
    body: () => rss(item('x', synced('x', 'version="2147483647"'))),
    expected: mergedAs('x'),
  },
  {
    name: 'sse/dates',
    body: () =>
      rss(
        ['', 'now', 'Thu, 01 Jan 9999 00:00:00 GMT', '9'.repeat(50_000), '2026-01-01T00:00:00Z']
          .map((when, n) => item(`d${n}`, synced(`d${n}`, 'version="1"', history('a', when))))
          .join(''),
      ),
    expected: {
      merged: ['d2', 'd4', 'first', 'last'],
      rejected: Array<string>(3).fill('sse-history-when-format'),
    },
  },
  {
    name: 'sse/4000-updates',
    body: () =>
      rss(
        item(
          'x',
          synced(
            'x',
            'version="4000"',
            `<sx:history when="${date}" by="a">${`<sx:update when="${date}" by="b"/>`.repeat(4000)}` +
              '</sx:history>',
          ),
        ),
      ),
    expected: mergedAs('x'),
  },
  {
    name: 'sse/250-versions-in-conflict',
    body: () =>
      rss(
        Array.from({ length: 250 }, (_, n) => item('x', synced('x', 'version="1"', history(`e${n}`)))).join(
          '',
        ),
      ),
    expected: { ...mergedAs('x'), conflicts: { x: 249 }, warnings: ['sse-sync-id-unique'] },
  },
  {
    name: 'sse/conflict-bomb',
    body: () =>
      rss(
        item(
          'x',
          synced(
            'x',
            'version="1" conflict="true"',
            `${history('a')}<sx:conflicts>${Array.from(
              { length: 400 },
              (_, n) =>
                `<sx:conflict version="1" when="${date}" by="e${n}">` +
                `${item('x', synced('x', 'version="1"', history(`e${n}`)))}</sx:conflict>`,
            ).join('')}</sx:conflicts>`,
          ),
        ),
      ),
    expected: { ...mergedAs('x'), conflicts: { x: 400 } },
  },
  {
    name: 'sse/conflict-without-an-item',
    body: () => rss(disputed('')),
    expected: { ...mergedAs('x'), conflicts: { x: 1 } },
  },
  {
    name: 'sse/conflict-with-another-item',
    body: () => rss(disputed(item('y'))),
    expected: { ...mergedAs('x'), conflicts: { x: 1 } },
  },
  {
    name: 'sse/conflict-with-two-items',
    body: () => rss(disputed(item('x') + item('x'))),
    expected: { ...mergedAs('x'), conflicts: { x: 1 } },
  },
  {
    name: 'sse/conflict-with-an-outline',
    body: () => rss(disputed(outline('x'))),
    expected: rejectedBy('format-fixed'),
  },
  {
    name: 'sse/conflict-with-what-may-stand-there',
    body: () => rss(disputed(`<a xmlns="urn:a">${'<b/>'.repeat(50_000)}</a>`)),
    expected: { ...mergedAs('x'), conflicts: { x: 1 } },
  },
  {
    name: 'sse/conflict-of-no-version',
    body: () => rss(disputed(item('x'), `when="${date}"`)),
    expected: rejectedBy('sse-conflict-version-required'),
  },
  {
    name: 'sse/deepest-conflict',
    body: () =>
      rss(
        disputed(
          item(
            'x',
            synced('x', 'version="1"', history('b')),
            `<a>${'<b>'.repeat(54)}${'</b>'.repeat(54)}</a>`,
          ),
        ),
      ),
    expected: { ...mergedAs('x'), conflicts: { x: 1 } },
  },
  {
    name: 'sse/deeper-conflict',
    body: () =>
      rss(
        disputed(
          item(
            'x',
            synced('x', 'version="1"', history('b')),
            `<a>${'<b>'.repeat(55)}${'</b>'.repeat(55)}</a>`,
          ),
        ),
      ),
    expected: rejectedBy('limit-item-depth'),
  },
  {
    name: 'sse/deepest-version-that-becomes-a-conflict',
    body: () =>
      rss(
        ['a', 'b']
          .map((by) =>
            item(
              'x',
              synced('x', 'version="1"', history(by)),
              `<a>${'<b>'.repeat(54)}${'</b>'.repeat(54)}</a>`,
            ),
          )
          .join(''),
      ),
    expected: { ...mergedAs('x'), conflicts: { x: 1 }, warnings: ['sse-sync-id-unique'] },
  },
  {
    name: 'sse/both-forms-of-the-namespace',
    body: () =>
      rss(
        '<item><title>T</title><s:sync xmlns:s="http://www.microsoft.com/schemas/rss/sse" id="x" ' +
          `version="1"><s:history when="${date}" by="a"/></s:sync></item>`,
      ),
    expected: mergedAs('x'),
  },
  {
    name: 'sse/sx-is-another',
    body: () =>
      rss(
        '<item xmlns:sx="urn:other" sx:a="1"><title>T</title><sx:b/>' +
          `<s:sync xmlns:s="${sseNamespace}" id="x" version="1" sx:c="2">` +
          `<s:history when="${date}" by="a"/></s:sync></item>`,
      ),
    expected: mergedAs('x'),
  },
  {
    name: 'ordered/places-that-are-none',
    body: () =>
      rss(
        [
          '',
          '1',
          '1 ',
          '1 a',
          '0 V x',
          `1 ${'V'.repeat(5000)}`,
          `1 V ${'p'.repeat(5000)}`,
          '1 V nobody',
          '1 V x2',
          '\u{1F600}',
        ]
          .map((position, n) => item(`x${n}`, placed(`x${n}`, position)))
          .join(''),
      ),
    into: 'ordered',
    expected: { merged: ['first', 'last', ...Array.from({ length: 10 }, (_, n) => `x${n}`)] },
  },
  {
    name: 'ordered/same-place',
    body: () => rss(Array.from({ length: 120 }, (_, n) => item(`x${n}`, placed(`x${n}`, '1 V'))).join('')),
    into: 'ordered',
    expected: { merged: ['first', 'last', '… ×122'] },
  },
  {
    name: 'ordered/long-keys',
    body: () =>
      rss(
        Array.from({ length: 30 }, (_, n) =>
          item(`x${n}`, placed(`x${n}`, `1 ${'V'.repeat(4000)}${String.fromCodePoint(65 + n)}`)),
        ).join(''),
      ),
    into: 'ordered',
    expected: { merged: ['first', 'last', '… ×32'] },
  },
  {
    name: 'ordered/150-items',
    body: () => rss(Array.from({ length: 150 }, (_, n) => item(`x${n}`)).join('')),
    into: 'ordered',
    expected: { merged: ['first', 'last', '… ×152'] },
  },
]);

const outlines = into('opml', [
  {
    name: 'opml/deep',
    body: () => opml(nestedOutlines(200)),
    expected: { merged: ['first', 'last', '… ×202'] },
  },
  {
    name: 'opml/too-deep',
    body: () => opml('<outline text="a">'.repeat(1_000_000)),
    expected: { refused: 'limit-outline-depth' },
  },
  {
    name: 'opml/deep-without-sync',
    body: () => opml('<outline text="a">'.repeat(900) + '</outline>'.repeat(900)),
    expected: { merged: ['first', 'last'], plain: 900 },
  },
  {
    name: 'opml/wide',
    body: () => opml(outline('p', Array.from({ length: 150 }, (_, n) => outline(`x${n}`)).join(''))),
    expected: { merged: ['first', 'last', '… ×153'] },
  },
  {
    name: 'opml/own-parent',
    body: () => opml(outline('x', '', placed('x', '1 V x'))),
    expected: { ...mergedAs('x'), conflicts: { x: 1 } },
  },
  {
    name: 'opml/cycle',
    body: () =>
      opml(
        Array.from({ length: 50 }, (_, n) =>
          outline(`x${n}`, '', placed(`x${n}`, `1 V x${(n + 1) % 50}`)),
        ).join(''),
      ),
    expected: { merged: ['first', 'last', '… ×52'], conflicts: { x0: 1 } },
  },
  {
    name: 'opml/parents-that-are-nobody',
    body: () =>
      opml(
        Array.from({ length: 20 }, (_, n) => outline(`x${n}`, '', placed(`x${n}`, `1 V nobody${n}`))).join(
          '',
        ),
      ),
    expected: { merged: ['first', 'last', '… ×22'] },
  },
  {
    name: 'opml/long-chain',
    body: () =>
      opml(
        Array.from({ length: 1000 }, (_, n) => outline(`x${n}`, '', placed(`x${n}`, `1 V x${n + 1}`))).join(
          '',
        ),
      ),
    expected: { merged: ['first', 'last', '… ×1002'] },
  },
  {
    name: 'opml/in-itself',
    body: () => opml(outline('x', outline('x', outline('x')))),
    expected: { ...mergedAs('x') },
  },
  {
    name: 'opml/sync-after-the-outlines-in-it',
    body: () => opml(`<outline text="T">${outline('y')}${outline('z')}${synced('x')}</outline>`),
    expected: { merged: ['first', 'last', 'x', 'y', 'z'] },
  },
  {
    name: 'opml/sync-after-very-many-outlines',
    body: () =>
      opml(
        `<outline text="T">${`<outline text="${'y'.repeat(1000)}"/>`.repeat(1500)}${synced('x')}</outline>`,
      ),
    expected: { ...mergedAs('x'), plain: 1500 },
  },
  {
    name: 'opml/attributes',
    body: () =>
      opml(
        '<outline text="&lt;&quot;&amp;&#10;" xmlUrl="javascript:alert(1)" xml:base="http://[" type="" ' +
          `sx:a="1" url="${'u'.repeat(500_000)}">${synced('x')}</outline>`,
      ),
    expected: mergedAs('x'),
  },
  {
    name: 'opml/no-text',
    body: () => opml(`<outline>${synced('x')}</outline>`),
    expected: mergedAs('x'),
  },
  {
    name: 'opml/many-attributes',
    body: () =>
      opml(`<outline${Array.from({ length: 250 }, (_, n) => ` a${n}=""`).join('')}>${synced('x')}</outline>`),
    expected: rejectedBy('limit-attributes'),
  },
  {
    name: 'opml/two-bodies',
    body: () => opml('').replace('</body>', '</body><body/>'),
    expected: { refused: 'opml-body' },
  },
  {
    name: 'opml/no-body',
    body: () => '<opml version="1.0"><head/></opml>',
    expected: { refused: 'opml-body' },
  },
  {
    name: 'opml/two-heads',
    body: () => opml('').replace('<body>', '<head/><body>'),
    expected: { refused: 'opml-head' },
  },
  {
    name: 'opml/outlines-in-the-head',
    body: () => opml(outline('x')).replace('</head>', `${outline('h')}</head>`),
    expected: mergedAs('h', 'x'),
  },
]);

/** Simple Sharing Extensions. */
export const simpleSharing: readonly HostileFeed[] = [...items, ...outlines];
