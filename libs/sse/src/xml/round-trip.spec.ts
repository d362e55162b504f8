import { sseNamespaces } from './namespace.ts';
import { sseDialect } from './dialect.ts';
import { expect, test } from '@jest/globals';
import type { ForeignMarkup } from '#feedsync';
import type { Conflict, Item, Modification } from '../engine/item.ts';
import { itemId } from '#core';
import type { Position } from '#core';
import { describeFeed, writeFeedEnd, writeFeedStart } from '#xml';
import type { Payload, Scope } from '#xml';
import { itemOf } from './__fixtures__/reading.ts';
import { writeSseItem } from './item-writing.ts';
import fc from 'fast-check';

const text = fc
  .string({ unit: 'grapheme', maxLength: 8 })
  .map((any) => any.replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '_'));
const filled = fc.oneof(text, fc.constantFrom('a b', '<&>"\'\t\r\n')).map((any) => `${any}x`);
const moment = fc
  .integer({ min: 0, max: 4_000_000_000 })
  .map((second) => new Date(second * 1000).toISOString().replace('.000Z', 'Z'));
const version = fc.oneof(fc.integer({ min: 1, max: 9 }), fc.constant(Number.MAX_SAFE_INTEGER));
const slice = fc.constantFrom(
  '<x:d/>',
  '<y:d xmlns:y="urn:y" y:e="&lt;">T&amp;<x:e/></y:d>',
  '<plain>sx: fm: <![CDATA[<]]><!-- c --></plain>',
  '<outlines text="a"/>',
  '<sx:e xmlns:sx="urn:other"/>',
);

const attributes = fc.uniqueArray(
  fc.record({
    namespace: fc.constantFrom('', 'urn:x', 'urn:unbound', 'urn:feedmesh:position'),
    name: fc.constantFrom('text', 'xmlUrl', 'later', 'é'),
    value: text,
  }),
  { maxLength: 4, selector: ({ namespace, name }) => `${namespace} ${name}` },
);
const foreign: fc.Arbitrary<ForeignMarkup> = fc
  .record({ attributes, children: fc.array(slice, { maxLength: 2 }) })
  .filter((markup) => markup.attributes.length + markup.children.length > 0);
const modification: fc.Arbitrary<Modification> = fc.oneof(
  fc.record({ when: moment, by: filled, foreign }, { requiredKeys: ['when'] }),
  fc.record({ when: moment, by: filled, foreign }, { requiredKeys: ['by'] }),
);
const position: fc.Arbitrary<Position> = fc.record(
  { key: fc.constantFrom('V', '0aZ', 'zzzz1'), parent: filled },
  { requiredKeys: ['key'] },
);

/**
 * Payloads that use the prefix `x`, in scopes that bind it; with `clashing` they bind the prefixes of our own
 * markup to something else as well.
 */
function payload(format: 'rss' | 'opml', clashing: boolean): fc.Arbitrary<Payload> {
  const scope: fc.Arbitrary<Scope> = fc.record({
    namespaces: fc.constantFrom<Scope['namespaces']>(
      ...(clashing
        ? ([
            [
              ['sx', 'urn:clash'],
              ['x', 'urn:x'],
              ['fm', 'urn:clash'],
            ],
            [
              ['', 'urn:default'],
              ['x', 'urn:x'],
            ],
          ] as const)
        : ([
            [['x', 'urn:x']],
            [
              ['x', 'urn:x'],
              ['z', 'urn:z'],
            ],
            [
              ['sx', 'http://www.microsoft.com/schemas/rss/sse'],
              ['x', 'urn:x'],
            ],
          ] as const)),
    ),
  });
  const children = fc.array(slice, { maxLength: 3 }).map((slices) =>
    slices.map((xml) => {
      const [, prefix = '', name = ''] = /^<(?:([a-z]+):)?([a-z]+)/.exec(xml) ?? [];
      return { namespace: { x: 'urn:x', y: 'urn:y', sx: 'urn:other' }[prefix] ?? '', name, xml };
    }),
  );
  return fc.record(
    {
      format: fc.constant(format),
      children,
      scope,
      attributes: attributes.filter((some) => some.length > 0),
    },
    { requiredKeys: ['format', 'children', 'scope'] },
  );
}

function plainItem(format: 'rss' | 'opml', id: string, clashing: boolean): fc.Arbitrary<Item<Payload>> {
  const sync = fc.record(
    {
      id: fc.constant(itemId(id)),
      version,
      deleted: fc.boolean(),
      conflict: fc.boolean(),
      history: fc.array(modification, { minLength: 1, maxLength: 3 }),
      foreign,
    },
    { requiredKeys: ['id', 'version', 'deleted', 'conflict', 'history'] },
  );
  return fc.record(
    { sync, data: payload(format, clashing), conflicts: fc.constant([]), position },
    { requiredKeys: ['sync', 'data', 'conflicts'] },
  );
}

function conflict(format: 'rss' | 'opml', id: string, clashing: boolean): fc.Arbitrary<Conflict<Payload>> {
  return fc
    .tuple(version, modification, fc.option(plainItem(format, id, clashing), { nil: undefined }))
    .map(([number, latest, item]) => ({ version: number, ...latest, ...(item !== undefined && { item }) }));
}

/** Random items of SSE. With `clashing` their scopes bind prefixes that our own markup uses. */
function randomItem(clashing: boolean): fc.Arbitrary<Item<Payload>> {
  return fc
    .tuple(fc.constantFrom('rss' as const, 'opml' as const), filled)
    .chain(([format, id]) =>
      fc
        .tuple(plainItem(format, id, clashing), fc.array(conflict(format, id, clashing), { maxLength: 2 }))
        .map(([item, conflicts]) => ({ ...item, conflicts })),
    );
}

function documentOf(item: Item<Payload>, namespace: 'http' | 'https' = 'https'): string {
  const { format } = item.data;
  const head = describeFeed({
    format,
    namespaces: [['sx', sseNamespaces[namespace]]],
    title: 'T',
    id: 'urn:t',
    selfUrl: 'http://example.com/',
    updated: '2026-01-01T00:00:00Z',
    author: 'A',
  });
  return writeFeedStart(head, sseDialect) + writeSseItem(item) + writeFeedEnd(format);
}

/** What an item says, whatever scope it says it in and wherever it declares its namespaces. */
function said(item: Item<Payload>): unknown {
  return JSON.parse(JSON.stringify(withoutScopes(item)).replaceAll(/ xmlns(?::[a-z]+)?=\\"[^"\\]*\\"/g, ''));
}

function withoutScopes(item: Item<Payload>): unknown {
  const { format, children, attributes } = item.data;
  return {
    ...item,
    data: { format, children, attributes },
    conflicts: item.conflicts.map((conflict) =>
      conflict.item === undefined ? conflict : { ...conflict, item: withoutScopes(conflict.item) },
    ),
  };
}

/** An item that has no key has the place that the document gives it. */
function placed(item: Item<Payload>): Item<Payload> {
  return item.position === undefined ? { ...item, position: { after: '' } } : item;
}

test.each(['https', 'http'] as const)('every item that is written reads back as it was (%s)', (namespace) => {
  fc.assert(
    fc.property(randomItem(false), (item) => {
      expect(said(itemOf(documentOf(item, namespace)))).toEqual(said(placed(item)));
    }),
    { numRuns: 100 },
  );
});

test('an item in whose scope our prefixes mean something else is stable once it has been written', () => {
  fc.assert(
    fc.property(randomItem(true), (item) => {
      const once = itemOf(documentOf(item));
      expect(once.sync.history.length).toBe(item.sync.history.length);
      expect(said(itemOf(documentOf(once)))).toEqual(said(once));
    }),
    { numRuns: 100 },
  );
});
