import { sseDialect } from './dialect.ts';
import { expect, test } from '@jest/globals';
import { finish } from '#core';
import {
  fieldsOfPayload,
  payloadFromFields,
  FeedScanner,
  readOutlineDocument,
  writeOutlineDocument,
} from '#xml';
import type { Fragment, Place, OutlineNode } from '#xml';
import { readSseItem } from './item-reading.ts';
import fc from 'fast-check';

/**
 * An outline as it may stand in a document: with or without an `sx:sync`, which stands before, between or
 * behind those in it.
 */
interface Outline {
  readonly id: string | undefined;
  readonly syncAt: number;
  readonly gaps: readonly string[];
  readonly inside: readonly Outline[];
}

const gap = fc.constantFrom(
  '',
  '\n',
  '\n  ',
  ' ',
  '<!-- <outline> -->\n',
  '<![CDATA[<outline>]]>',
  'text',
  '<x:note>\n</x:note>',
);

/** Random outlines, nested as deep as is said. */
const randomOutlines = (depth: number): fc.Arbitrary<Outline[]> =>
  fc.array(
    fc.record({
      id: fc.option(fc.uuid(), { nil: undefined, freq: 3 }),
      syncAt: fc.nat(3),
      gaps: fc.array(gap, { minLength: 5, maxLength: 5 }),
      inside: depth === 0 ? fc.constant([]) : randomOutlines(depth - 1),
    }),
    { maxLength: 3 },
  );

function write({ id, syncAt, gaps, inside }: Outline): string {
  const parts = inside.map(write);
  if (id !== undefined) parts.splice(syncAt, 0, syncOf(id));
  return (
    `<outline\ntext="${id ?? ''}">${parts.map((part, index) => `${gaps[index]}${part}`).join('')}` +
    `${gaps[4]}</outline>`
  );
}

const syncOf = (id: string) => `<sx:sync id="${id}" version="1"><sx:history by="B"/></sx:sync>`;
const documentOf = (outlines: readonly Outline[]) =>
  '<opml xmlns:sx="https://www.microsoft.com/schemas/rss/sse" xmlns:x="urn:x">' +
  `<body>${outlines.map(write).join('\n')}</body></opml>`;

/** Where the outlines stand that have an id, as the decision on positions says it. */
function placesOf(outlines: readonly Outline[], parent?: string): Record<string, Place> {
  const siblings = withoutPlain(outlines);
  return Object.assign(
    {},
    ...siblings.map(({ id, inside }, at): Record<string, Place> => {
      const before = siblings[at + 1]?.id;
      const place = {
        ...(parent !== undefined && { parent }),
        after: siblings[at - 1]?.id ?? '',
        ...(before !== undefined && { before }),
      };
      return { [id ?? '']: place, ...placesOf(inside, id) };
    }),
  ) as Record<string, Place>;
}

/** The outlines with those in the ones without an id in place of these. */
const withoutPlain = (outlines: readonly Outline[]): Outline[] =>
  outlines.flatMap((outline) => (outline.id === undefined ? withoutPlain(outline.inside) : [outline]));

const countOf = (outlines: readonly Outline[]): number =>
  outlines.reduce((count, { inside }) => count + 1 + countOf(inside), 0);

function scan(document: string, size: number): Fragment[] {
  const scanner = new FeedScanner(sseDialect);
  const fragments: Fragment[] = [];
  for (let start = 0; start < document.length; start += size)
    fragments.push(...scanner.write(document.slice(start, start + size)));
  scanner.end();
  return fragments;
}

test(
  'any nesting of outlines is cut into each of them alone, at its place, with its lines, in pieces of ' +
    'any size',
  () => {
    fc.assert(
      fc.property(randomOutlines(3), fc.integer({ min: 1, max: 50 }), (outlines, size) => {
        const document = documentOf(outlines);
        const fragments = scan(document, size);
        expect(fragments).toEqual(scan(document, document.length));
        expect(fragments).toHaveLength(countOf(outlines));
        expect(
          Object.fromEntries(fragments.flatMap(({ id, place }) => (id === undefined ? [] : [[id, place]]))),
        ).toEqual(placesOf(outlines));
        const lines = document.split('\n');
        for (const fragment of fragments) {
          expect(readSseItem(fragment).kind).toBe(fragment.id === undefined ? 'plain' : 'item');
          expect(lines[fragment.line - 1]?.slice(fragment.column - 1)).toBe('<outline');
          const syncLine = fragment.xml.split('\n').findIndex((line) => line.includes('<sx:sync '));
          if (fragment.id !== undefined)
            expect(lines[fragment.line + syncLine - 2]).toContain(syncOf(fragment.id));
        }
      }),
      { numRuns: 100 },
    );
  },
);

test('any attributes and elements of outlines come back from a written document', () => {
  const name = fc.constantFrom(
    'a',
    'b',
    '__proto__',
    'constructor',
    '{urn:1}a',
    '{urn:2}a',
    '{http://www.w3.org/XML/1998/namespace}space',
  );
  const value = fc.string({
    unit: fc.constantFrom('a', ' ', '\n', '\t', '\r', '"', "'", '<', '>', '&', ']', '😀'),
  });
  const payload = fc.constantFrom(
    undefined,
    '<x:a xmlns:x="urn:3" x:b="x:c">\n</x:a>',
    '<a xmlns="urn:4"><b/></a>',
    '<p:a xmlns:p="urn:5"/>\n<p:a xmlns:p="urn:6"/>',
  );
  const payloads = fc
    .record({ text: value, others: fc.array(fc.tuple(name, value)), payload })
    .map(({ text, others, payload: rest }) =>
      payloadFromFields('opml', {
        attributes: Object.fromEntries([['text', text], ...others]),
        ...(rest !== undefined && { payload: rest }),
      }),
    );
  const nodes = (depth: number): fc.Arbitrary<OutlineNode[]> =>
    fc.array(fc.record({ payload: payloads, children: depth === 0 ? fc.constant([]) : nodes(depth - 1) }), {
      maxLength: 3,
    });
  const plain = (outlines: readonly OutlineNode[]): unknown[] =>
    outlines.map(({ payload, children }) => [fieldsOfPayload(payload), plain(children)]);
  fc.assert(
    fc.property(nodes(2), (outlines) => {
      expect(
        plain(finish(readOutlineDocument([...writeOutlineDocument({ outlines })].join(''))).outlines),
      ).toEqual(plain(outlines));
    }),
    { numRuns: 100 },
  );
});
