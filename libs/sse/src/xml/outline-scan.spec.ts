import { feedsyncDialect } from '#feedsync';
import { sseDialect } from './dialect.ts';
import { describe, expect, test } from '@jest/globals';
import { refusal } from '../../../feedsync/src/xml/__fixtures__/reading.ts';
import type { FeedHead, Fragment, ScanLimits } from '#xml';
import { FeedScanner } from '#xml';
import { readSseItem } from './item-reading.ts';

const sync = (id: string, attributes = 'version="1"') =>
  `<sx:sync id="${id}" ${attributes}><sx:history when="Sat, 21 May 2005 09:43:33 GMT" by="REO1750"/>` +
  '</sx:sync>';
const opml = (body: string, head = '') =>
  `<opml version="1.0" xmlns:sx="https://www.microsoft.com/schemas/rss/sse"><head>${head}</head>` +
  `<body>${body}</body></opml>`;

function scan(document: string, limits: Partial<ScanLimits> = {}): { fragments: Fragment[]; head: FeedHead } {
  const scanner = new FeedScanner(sseDialect, { limits });
  const fragments = scanner.write(document);
  return { fragments, head: scanner.end() };
}

/** The places of a document's outlines, as `parent/after…before`. */
function placesOf(body: string): Record<string, string> {
  return Object.fromEntries(
    scan(opml(body)).fragments.map(({ id, place }) => [
      id ?? '?',
      place === undefined ? 'none' : `${place.parent ?? ''}/${place.after}…${place.before ?? ''}`,
    ]),
  );
}

const subscriptions = `<?xml version="1.0"?>
<opml version="1.0" xmlns:sx="http://www.microsoft.com/schemas/rss/sse" xmlns:x="urn:x">
  <head>
    <title>Feeds &amp; more</title><dateModified>Sat, 21 May 2005 09:43:33 GMT</dateModified>
    <sx:sharing since="Fri, 20 May 2005 09:43:33 GMT" until="Sat, 21 May 2005 09:43:33 GMT"
      version="0.91" window="30"/>
  </head>
  <body>
    <outline text="News" x:colour="red">
      ${sync('folder')}
      <outline text="World 😀" xmlUrl="http://example.com/?a&amp;b">
        ${sync('world')}
      </outline>
      <!-- between -->
      <outline text="Local" xml:lang="de">${sync('local')}<x:note>
        first</x:note></outline>
      <x:note>own</x:note>
    </outline>
    <outline text="Last">${sync('last')}</outline>
  </body>
</opml>
`;

describe('an OPML document', () => {
  test('is cut into outlines of any depth, without those in them, each at its place', () => {
    const { fragments } = scan(subscriptions);
    expect(fragments.map(({ id, place, line, column }) => ({ id, place, line, column }))).toEqual([
      { id: 'world', place: { parent: 'folder', after: '', before: 'local' }, line: 11, column: 7 },
      { id: 'local', place: { parent: 'folder', after: 'world' }, line: 15, column: 7 },
      { id: 'folder', place: { after: '', before: 'last' }, line: 9, column: 5 },
      { id: 'last', place: { after: 'folder' }, line: 19, column: 5 },
    ]);
    expect(fragments.map((fragment) => readSseItem(fragment).kind)).toEqual(['item', 'item', 'item', 'item']);
    expect(fragments[2]?.xml).toBe(
      '<outline xmlns:sx="http://www.microsoft.com/schemas/rss/sse" xmlns:x="urn:x"\n text="News" ' +
        `x:colour="red">\n      ${sync('folder')}\n\n\n\n      <!-- between -->\n\n\n      <x:note>own` +
        '</x:note>\n    </outline>',
    );
  });

  test('has a head with its title and sharing', () => {
    const { head } = scan(subscriptions);
    expect(head).toMatchObject({
      format: 'opml',
      title: 'Feeds & more',
      violations: [],
      sharing: {
        since: '2005-05-20T09:43:33Z',
        until: '2005-05-21T09:43:33Z',
        version: '0.91',
        window: 30,
        related: [],
      },
    });
    expect(head.children.map(({ name }) => name)).toEqual(['title', 'dateModified']);
  });

  test('gives the same wherever it is split into two pieces, and in pieces of one character', () => {
    const whole = scan(subscriptions);
    for (let split = 0; split <= subscriptions.length; split += 1) {
      const scanner = new FeedScanner(sseDialect);
      const fragments = [
        ...scanner.write(subscriptions.slice(0, split)),
        ...scanner.write(subscriptions.slice(split)),
      ];
      expect({ fragments, head: scanner.end() }).toEqual(whole);
    }
    const scanner = new FeedScanner(sseDialect);
    const fragments = Array.from(subscriptions.replaceAll('\n', '\r\n')).flatMap((character) =>
      scanner.write(character),
    );
    expect({ fragments, head: scanner.end() }).toEqual(whole);
  });

  test('may have its head missing, empty or behind the body, and a namespace of its own', () => {
    expect(scan('<opml version="2.0"><body><outline text="a"/></body></opml>').fragments).toHaveLength(1);
    expect(scan('<opml><body/><head><title>T</title></head></opml>').head.title).toBe('T');
    expect(
      scan(
        '<o:opml xmlns:o="http://www.opml.org/spec2"><o:body><o:outline><o:outline/><outline/>' +
          '</o:outline></o:body></o:opml>',
      ).fragments,
    ).toHaveLength(2);
  });

  test('distinguishes the sharing by its position: one beside the head is ignored with a warning', () => {
    const sharing = '<sx:sharing version="0.91" until="Sat, 21 May 2005 09:43:33 GMT"/>';
    const { head } = scan(
      `<opml xmlns:sx="https://www.microsoft.com/schemas/rss/sse">\n ${sharing}<body/></opml>`,
    );
    expect(head.sharing).toBeUndefined();
    expect(head.violations).toMatchObject([
      { rule: 'sse-sharing-place', severity: 'warning', line: 2, column: 2 },
    ]);
  });
});

test('elements of SSE directly in the body are warnings, at their places, and not used', () => {
  const { fragments, head } = scan(
    opml(
      `\n <sx:sharing version="0.91"/>\n <outline>${sync('a')}</outline>\n  <sx:sync id="b"><sx:history/>` +
        '</sx:sync><x:y xmlns:x="urn:x"/>',
    ),
  );
  expect(head.sharing).toBeUndefined();
  expect(
    head.violations.map(({ rule, severity, line, column }) => `${severity} ${rule}@${line}:${column}`),
  ).toEqual(['warning sse-sharing-place@2:2', 'warning sse-sync-place@4:3']);
  expect(fragments).toMatchObject([{ id: 'a', line: 3, column: 2, place: { after: '' } }]);
});

test('outlines 900 deep are cut out and read as any others', () => {
  const depth = 900;
  const { fragments } = scan(
    opml(
      Array.from({ length: depth }, (_, at) => `<outline text="${at}">${sync(`o${at}`)}`).join('') +
        '</outline>'.repeat(depth),
    ),
  );
  expect(fragments.filter((fragment) => readSseItem(fragment).kind === 'item')).toHaveLength(depth);
  expect(fragments[0]).toMatchObject({ id: 'o899', place: { parent: 'o898', after: '' } });
});

describe('the place of an outline', () => {
  test('ignores outlines without sx:sync: their children take their positions', () => {
    expect(
      placesOf(
        `<outline text="plain"><outline>${sync('a')}</outline><outline text="deep">` +
          `<outline>${sync('b')}</outline></outline></outline><outline>${sync('c')}</outline>`,
      ),
    ).toEqual({ a: '/…b', b: '/a…c', c: '/b…', '?': 'none' });
    expect(
      placesOf(
        `<outline>${sync('p')}<outline>${sync('a')}</outline><outline text="plain">` +
          `<outline>${sync('b')}</outline></outline><outline>${sync('c')}</outline></outline>`,
      ),
    ).toEqual({ p: '/…', a: 'p/…b', b: 'p/a…c', c: 'p/b…', '?': 'none' });
  });

  test('is known even if the sx:sync follows the outlines inside', () => {
    expect(
      placesOf(
        `<outline><outline><outline>${sync('c')}</outline><outline>${sync('d')}</outline>${sync('b')}` +
          `</outline><outline>${sync('e')}</outline>${sync('a')}</outline><outline>${sync('f')}</outline>`,
      ),
    ).toEqual({ c: 'b/…d', d: 'b/c…', b: 'a/…e', e: 'a/b…', a: '/…f', f: '/a…' });
  });

  test('is given to tombstones too', () => {
    expect(
      placesOf(
        `<outline>${sync('a', 'version="2" deleted="true"')}<outline>${sync('b')}</outline></outline>`,
      ),
    ).toEqual({ a: '/…', b: 'a/…' });
  });

  test('is not taken by an outline in sx:conflict or in foreign markup', () => {
    const conflict =
      '<sx:conflicts><sx:conflict version="1" by="B">' +
      `<outline text="loser">${sync('a')}<outline>` +
      `${sync('x')}</outline></outline></sx:conflict></sx:conflicts>`;
    const { fragments } = scan(
      opml(
        `<outline text="a">${sync('a').replace('</sx:sync>', `${conflict}</sx:sync>`)}` +
          `<x:y xmlns:x="urn:x"><outline>${sync('y')}</outline></x:y>` +
          `<outline text="b">${sync('b')}</outline></outline>`,
      ),
    );
    expect(fragments.map(({ id, place }) => [id, place])).toEqual([
      ['b', { parent: 'a', after: '' }],
      ['a', { after: '' }],
    ]);
    expect(fragments[1]?.xml).toContain(conflict);
  });

  test(
    'in an ordered RSS feed is between the item before and the one behind, and items without sx:sync ' +
      'do not count',
    () => {
      const rss =
        '<rss version="2.0" xmlns:sx="http://www.microsoft.com/schemas/rss/sse">' +
        `<sx:sharing version="0.91"/><channel><title>T</title><item>${sync('a')}</item><item/>` +
        `<item>${sync('b')}</item></channel></rss>`;
      const { fragments, head } = scan(rss);
      expect(fragments.map(({ id, place }) => [id, place])).toEqual([
        [undefined, undefined],
        ['a', { after: '', before: 'b' }],
        ['b', { after: 'a' }],
      ]);
      expect(head).toMatchObject({
        format: 'rss',
        title: 'T',
        violations: [{ rule: 'sse-sharing-place' }],
      });
    },
  );
});

test('an outline is the same however its child outlines change if its own content comes first', () => {
  const folderOf = (inside: string) =>
    scan(opml(`<outline text="folder">\n  ${sync('folder')}${inside}</outline>`)).fragments.at(-1)?.xml;
  const one = folderOf(`\n  <outline>${sync('a')}</outline>\n`);
  expect(
    folderOf(
      `\n  <outline>${sync('a')}</outline>\n\n  <outline>${sync('b')}<outline>\n${sync('c')}</outline>` +
        '</outline>',
    ),
  ).toBe(one);
  expect(one).toMatch(/<\/sx:sync><\/outline>$/);
});

test('violations in nested outlines, and behind them, are at their places in the document', () => {
  const { fragments } = scan(`<opml xmlns:sx="https://www.microsoft.com/schemas/rss/sse">
<body><outline text="a">
  <outline text="b">
    <sx:sync id="b" version="0"><sx:history by="B"/></sx:sync></outline>
  <outline>
  ${sync('c')}
  </outline>
      <sx:sync id="a" version="1"/>
</outline></body></opml>`);
  const places = fragments
    .map((fragment) => readSseItem(fragment))
    .flatMap((reading) =>
      reading.kind === 'plain'
        ? []
        : reading.violations.map(({ rule, line, column }) => `${rule}@${line}:${column}`),
    );
  expect(places).toEqual(['sse-sync-version-range@4:5', 'sse-history-required@8:7']);
});

test('a fragment is self-contained: what is in force around it is on its root', () => {
  const { fragments } = scan(
    '<opml xmlns:x="urn:x" xml:base="http://example.com/a/"><body xml:lang="en">' +
      '<outline xml:base="b/" xmlns:y="urn:y"><outline y:a="1" xmlns:x="urn:z"/></outline></body></opml>',
  );
  expect(fragments[0]?.xml).toBe(
    '<outline xmlns:y="urn:y" xml:base="http://example.com/a/b/" xml:lang="en"\n y:a="1" xmlns:x="urn:z"/>',
  );
});

test('an outline is given as soon as the sx:sync of the next one is read, or the outer one has ended', () => {
  const scanner = new FeedScanner(sseDialect);
  const pieces = opml(
    `<outline>${sync('a')}<outline>${sync('b')}</outline>|<outline>${sync('c')}|</outline>|</outline>|`,
  ).split('|');
  expect(pieces.map((piece) => scanner.write(piece).map(({ id }) => id))).toEqual([
    [],
    ['b'],
    [],
    ['c'],
    ['a'],
  ]);
});

test('an item of RSS is given as soon as the next one is read, or the channel has ended', () => {
  const scanner = new FeedScanner(sseDialect);
  const pieces = (
    '<rss version="2.0" xmlns:sx="http://www.microsoft.com/schemas/rss/sse"><channel>' +
    `<item>${sync('a')}</item>|<item>${sync('b')}</item>|</channel>|</rss>`
  ).split('|');
  expect(pieces.map((piece) => scanner.write(piece).map(({ id }) => id))).toEqual([[], ['a'], ['b'], []]);
});

describe('a document is refused with its place', () => {
  test.each([
    ['without a body', '<opml>\n<head/></opml>', 'opml-body', 2],
    ['with two bodies', '<opml><body/>\n<body/></opml>', 'opml-body', 2],
    ['with two heads', '<opml><head/>\n<head/><body/></opml>', 'opml-head', 2],
    ['that is an Atom feed', '\n<feed xmlns="http://www.w3.org/2005/Atom"/>', 'feed-root', 2],
    ['that breaks off', '<opml><body>\n<outline>', 'xml-well-formed', 2],
  ])('%s', (_case, document, rule, line) => {
    expect(refusal(() => scan(document))).toMatchObject({ rule, line, severity: 'error' });
  });

  test('as a FeedSync feed where it is OPML', () => {
    expect(refusal(() => new FeedScanner(feedsyncDialect).write('<opml><body/></opml>'))).toMatchObject({
      rule: 'feed-root',
      section: 'RFC 4287 4.1.1, RSS 2.0',
    });
  });
});

describe('a limit that is passed is named', () => {
  const waiting = `<outline>${`<outline>${sync('a')}</outline>`.repeat(20)}`;
  test.each([
    ['outlineDepth', opml('<outline>'.repeat(100_000)), {}],
    [
      'attributes',
      opml(Array.from({ length: 11 }, (_, at) => `<outline xmlns:p${at}="urn:p">`).join('')),
      { attributes: 10 },
    ],
    ['items', opml('<outline><outline/></outline>'.repeat(2)), { items: 3 }],
    ['headLength', opml('<sx:sharing version="0.91"/>'.repeat(20)), { headLength: 1000 }],
    ['itemLength', opml(`<outline text="${'x'.repeat(500)}"/>`), { itemLength: 400 }],
    [
      'itemLength',
      opml(`<outline text="${'x'.repeat(300)}"><outline text="${'y'.repeat(300)}"/></outline>`),
      { itemLength: 500 },
    ],
    ['itemLength', opml(`${waiting}${sync('folder')}</outline>`), { itemLength: 2000 }],
    [
      'itemLength',
      opml(
        `<outline>${sync('a')}<outline>${sync('b')}</outline><outline text="${'x'.repeat(300)}">`.repeat(3),
      ),
      { itemLength: 1000 },
    ],
  ])('%s', (limit, document, limits) => {
    const violation = refusal(() => scan(document, limits));
    expect(violation.message).toContain(`limit "${limit}"`);
    expect(violation.rule).toBe(`limit-${limit.replace(/[A-Z]/, (letter) => `-${letter.toLowerCase()}`)}`);
  });

  test('with what is waited for', () => {
    expect(
      refusal(() => scan(opml(`${waiting}${sync('folder')}</outline>`), { itemLength: 2000 })).message,
    ).toContain('wait for an sx:sync');
  });

  test('is not for two outlines of which each is within it', () => {
    const outline = (id: string) => `<outline text="${'x'.repeat(600)}">${sync(id)}</outline>`;
    expect(scan(opml(outline('a') + outline('b')), { itemLength: 800 }).fragments).toHaveLength(2);
  });

  test('is not for an outline of many others that are complete', () => {
    const { fragments } = scan(
      opml(
        `<outline text="folder">${sync('folder')}` +
          `${`<outline text="${'x'.repeat(100)}">${sync('a')}</outline>`.repeat(100)}</outline>`,
      ),
      { itemLength: 1000 },
    );
    expect(fragments).toHaveLength(101);
  });
});
