import { describe, expect, test } from '@jest/globals';
import { FeedScanner } from '#xml';
import type { Fragment, ScanLimits } from '#xml';
import { refusal } from './__fixtures__/reading.ts';
import { feedsyncDialect } from './dialect.ts';
import { readItem } from './item-reading.ts';

const sync = (id: string): string =>
  `<sx:sync id="${id}" updates="1"><sx:history sequence="1" by="a"/></sx:sync>`;

type Feed = (parts: readonly string[]) => string;

/** The formats, each with its feed of some parts and its item of some content. */
const formats: readonly (readonly [name: string, feed: Feed, item: (content: string) => string])[] = [
  [
    'Atom',
    (parts) =>
      `<feed xmlns="http://www.w3.org/2005/Atom" xmlns:sx="http://feedsync.org/2007/feedsync">\n` +
      `${parts.join('\n')}\n</feed>`,
    (content) => `<entry>${content}</entry>`,
  ],
  [
    'Atom with a prefix',
    (parts) =>
      '<?xml version="1.0"?><!-- <a> --><a:feed xmlns:a="http://www.w3.org/2005/Atom" ' +
      `xmlns:sx="http://feedsync.org/2007/feedsync">${parts.join('')}</a:feed>`,
    (content) => `<a:entry>${content}</a:entry>`,
  ],
  [
    'RSS',
    (parts) =>
      `<rss version="2.0" xmlns:sx="http://feedsync.org/2007/feedsync">\n<channel xmlns:c="urn:c">\n  ` +
      `${parts.join('\n  ')}</channel>\n</rss>`,
    (content) => `<item>${content}</item>`,
  ],
];

const nested = (depth: number): string => `${'<c:x>'.repeat(depth)}${'</c:x>'.repeat(depth)}`;
const attributes = (count: number): string => Array.from({ length: count }, (_, n) => ` a${n}='>'`).join('');

/** What passes a limit in an item. */
const oversize: readonly (readonly [what: string, rule: string, content: string])[] = [
  ['80 levels', 'limit-depth', `<c:x xmlns:c="urn:c">${nested(80)}</c:x>`],
  ['10,000 levels', 'limit-depth', `<c:x xmlns:c="urn:c">${nested(10_000)}</c:x>`],
  ['300 attributes', 'limit-attributes', `<x${attributes(300)}/>`],
  ['10,000 attributes', 'limit-attributes', `<x${attributes(10_000)}>a</x>`],
  [
    '300 namespaces',
    'limit-attributes',
    `<x${attributes(300).replaceAll(' a', ' xmlns:a').replaceAll("'>'", "'urn:a'")}/>`,
  ],
  ['a long text', 'limit-item-length', `<title>${'lorem &amp; &lt;ipsum> '.repeat(400)}</title>`],
  ['a long attribute', 'limit-item-length', `<x a="${'>/'.repeat(3000)}"/>`],
  ['a long comment', 'limit-item-length', `<!-- <entry> </entry> </item> - ${'->\n'.repeat(2000)} -->`],
  ['a long section', 'limit-item-length', `<x><![CDATA[</item></entry>${']] >\n'.repeat(1500)}]]></x>`],
  ['a long instruction', 'limit-item-length', `<?x </item> ${'? >'.repeat(2000)}?><title>a</title>`],
  ['a long name', 'limit-item-length', `<${'x'.repeat(6000)}/>`],
  ['many elements', 'limit-item-length', '<x/><y></y>'.repeat(600)],
  ['white space', 'limit-item-length', ' \n'.repeat(3000)],
];

const limits: Partial<ScanLimits> = { itemLength: 5000 };
const none: Partial<ScanLimits> = {
  depth: Infinity,
  attributes: Infinity,
  itemLength: Infinity,
  headLength: Infinity,
};

/** Scans a document in pieces of a length. */
function scanPieces(feed: string, length: number, within: Partial<ScanLimits>) {
  const scanner = new FeedScanner(feedsyncDialect, { limits: within });
  const fragments: Fragment[] = [];
  for (let at = 0; at < feed.length; at += length)
    fragments.push(...scanner.write(feed.slice(at, at + length)));
  return { fragments, head: scanner.end() };
}

const ruleOf = ({ refusal }: Fragment): string => refusal?.violation.rule ?? 'none';

describe.each(formats)('in %s', (_format, feed, item) => {
  const small = (id: string): string => item(`<title>${id}</title>${sync(id)}`);

  describe.each(oversize)('an item with %s', (_what, rule, content) => {
    const bad = item(content + sync('bad'));
    test.each([
      ['first', [bad, small('b'), small('c')], [0]],
      ['in the middle', [small('a'), bad, '<subtitle>s</subtitle>', small('c')], [1]],
      ['last', [small('a'), small('b'), bad], [2]],
      ['more than once', [bad, small('b'), bad, bad], [0, 2, 3]],
    ])('costs that item alone: %s', (_where, parts, places) => {
      const document = feed(parts);
      const whole = scanPieces(document, document.length, none);
      for (const length of [document.length, 65_536, 4099]) {
        const { fragments, head } = scanPieces(document, length, limits);
        expect(fragments.map(ruleOf)).toEqual(
          whole.fragments.map((_, place) => (places.includes(place) ? rule : 'none')),
        );
        for (const [place, fragment] of fragments.entries()) {
          const { xml, line, column } = whole.fragments[place] as Fragment;
          expect(fragment).toMatchObject({ xml: places.includes(place) ? '' : xml, line, column });
        }
        expect(head).toEqual(whole.head);
      }
    });

    test('is told apart by what it says, however it arrives', () => {
      const digests = (document: string, length: number): (string | undefined)[] =>
        scanPieces(document, length, limits).fragments.map(({ refusal }) => refusal?.digest);
      const document = feed([small('a'), bad, item(`${content} `)]);
      const [, digest, other] = digests(document, document.length);
      expect(digest).toMatch(/^[\w-]{43}$/);
      expect(other).not.toBe(digest);
      for (const length of [7, 1000]) expect(digests(document, length)).toEqual([undefined, digest, other]);
      expect(digests(feed([bad]), 100)).toEqual([digest]);
    });
  });

  test('the id of an item is known that has its sync before what passes a limit', () => {
    const [first, second] = scanPieces(
      feed([item(sync('x') + nested(80).replace('<c:x>', '<c:x xmlns:c="urn:c">')), small('y')]),
      50,
      limits,
    ).fragments;
    expect([first?.id, second?.id]).toEqual(['x', 'y']);
    expect(first && readItem(first)).toEqual({ kind: 'rejected', violations: [first?.refusal?.violation] });
  });

  test('an item that is broken off, or broken, after it has passed a limit refuses the feed', () => {
    const deep = `<c:x xmlns:c="urn:c">${nested(80)}</c:x>`;
    const broken = [
      feed([small('a'), item(deep)]).slice(0, -40),
      feed([item(`${deep}<x>`), small('b')]),
      feed([item(`${deep}</x>`), small('b')]),
      feed([item(`${deep}<!-- `), small('b')]),
      feed([item(deep), '<x a=">']),
    ];
    for (const document of broken)
      for (const length of [document.length, 10])
        expect(ruleFor(() => scanPieces(document, length, limits))).toBe('xml-well-formed');
  });

  test('a place behind an item that was skipped is right', () => {
    const bad = item(`\n<c:x xmlns:c="urn:c">\n${nested(80)}\n</c:x>`);
    const document = feed([small('a'), bad, small('b'), '\n <x>&nbsp;</x>']);
    const placeOf = (length: number, within: Partial<ScanLimits>) => {
      const { line, column } = refusal(() => scanPieces(document, length, within));
      return { line, column };
    };
    const place = placeOf(document.length, none);
    for (const length of [document.length, 100, 1]) expect(placeOf(length, limits)).toEqual(place);
  });

  test.each(oversize)(
    'an element beside the items with %s is left out with a warning',
    (_what, _rule, content) => {
      const child = `<x:x xmlns:x="urn:x">${content}</x:x>`;
      const { fragments, head } = scanPieces(feed([small('a'), child, small('b')]), 1000, limits);
      expect(fragments.map(({ id }) => id)).toEqual(['a', 'b']);
      expect(head.children).toEqual([]);
      expect(head.violations).toMatchObject([
        { severity: 'warning', rule: expect.stringMatching(/^limit-/) },
      ]);
    },
  );

  test('white space and comments between items cost nothing, however long they are', () => {
    const flood = `${' \n'.repeat(4000)}<!-- ${'<entry><item> '.repeat(1000)}-->`;
    const document = feed([flood, small('a'), flood, '<subtitle>s</subtitle>', flood]);
    const { fragments, head } = scanPieces(document, 1000, limits);
    expect({ fragments, head }).toEqual(scanPieces(document, document.length, none));
  });

  test('sx:sharing that passes a limit refuses the feed', () => {
    for (const sharing of [
      `<sx:sharing since="1" until="2">${nested(80).replace('<c:x>', '<c:x xmlns:c="urn:c">')}</sx:sharing>`,
      `<sx:sharing since="1" until="${'2'.repeat(6000)}"/>`,
      `<sx:sharing since="1" until="2"${attributes(300)}/>`,
      `<s:sharing since="1"${attributes(300)} xmlns:s="http://feedsync.org/2007/feedsync"/>`,
    ])
      expect(ruleFor(() => scanPieces(feed([sharing, small('a')]), 100, limits))).toMatch(/^limit-/);
  });
});

test('children of the head that do not fit together are left out', () => {
  const child = (name: string, length: number): string => `<${name}>${'x'.repeat(length)}</${name}>`;
  const children = child('title', 50) + child('description', 200) + child('link', 20);
  const document = `<rss><channel>${children}<item/>`;
  const { fragments, head } = scanPieces(`${document}</channel></rss>`, 100, { headLength: 200 });
  expect(fragments).toHaveLength(1);
  expect(head.children.map(({ name }) => name)).toEqual(['title', 'link']);
  expect(head.violations).toMatchObject([{ rule: 'limit-head-length', severity: 'warning', column: 80 }]);
});

test('an item that does not end is not held', () => {
  const scanner = new FeedScanner(feedsyncDialect);
  scanner.write('<rss><channel><item>');
  const before = process.memoryUsage().heapUsed;
  for (let piece = 0; piece < 400; piece += 1) {
    scanner.write(`<x a="${piece}">${`<y${piece}>`.repeat(10_000)}`);
    scanner.write(`<z a="${'z'.repeat(10_000)}`.repeat(2));
    scanner.write('">');
  }
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(100_000_000);
});

function ruleFor(act: () => unknown): string {
  return refusal(act).rule;
}
