import { createHash } from 'node:crypto';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { shortJsonFragments } from './short-json-fragments.ts';
import { fromShortJson, restored, shortened, toShortJson } from './short-json.ts';

/** Texts of which many are, or hold, a fragment or what stands for one. */
const hostileText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom(
    '__proto__',
    'constructor',
    'toJSON',
    '\ud800',
    '\udc00\ud800',
    '\\',
    '"',
    '\\"',
    '$&',
    '\u0000\u001f',
  ),
  fc.array(fc.oneof(fc.constantFrom(...shortJsonFragments), fc.string({ unit: control() }))).map(joined),
);

function control(): fc.Arbitrary<string> {
  return fc.integer({ min: 0, max: 0x7f }).map((code) => String.fromCharCode(code));
}

function joined(parts: readonly string[]): string {
  return parts.join('');
}

/**
 * Keys that JSON writes as they are, as the names in XML are: `JSON.parse` of V8 13.6 (Node 24) takes
 * `{"\"":1}` for `{"\\":1}` once it has read that.
 */
const plainKey = hostileText.filter((text) => JSON.stringify(text) === `"${text}"`);

const element = fc.record({
  namespace: fc.oneof(fc.constantFrom('', 'http://www.w3.org/2005/Atom'), hostileText),
  name: fc.oneof(fc.constantFrom('title', 'link', 'encoded'), hostileText),
  xml: fc.oneof(
    hostileText,
    hostileText.map((text) => `<title>${text}</title>`),
  ),
});

/** A content of a sharing protocol as far as the store can tell, and more often than not as one is. */
const contentOf = (key: fc.Arbitrary<string>): fc.Arbitrary<object> =>
  fc.record(
    {
      sync: fc.record({
        id: hostileText,
        updates: fc.nat(),
        deleted: fc.boolean(),
        history: fc.array(fc.record({ sequence: fc.nat(), when: hostileText, by: hostileText })),
      }),
      data: fc.record({
        format: fc.constantFrom('atom', 'rss', 'opml'),
        children: fc.array(element),
        scope: fc.record({ namespaces: fc.array(fc.tuple(hostileText, hostileText)) }),
      }),
      conflicts: fc.array(fc.object({ key, values: [hostileText, fc.double(), fc.boolean()] })),
    },
    { noNullPrototype: true },
  );

const anything = fc.anything({
  key: plainKey,
  values: [hostileText, fc.double(), fc.boolean(), fc.constant(null)],
});

test.each([
  ['content', contentOf(hostileText)],
  ['value', fc.dictionary(hostileText, fc.jsonValue({ noUnicodeString: false }), { noNullPrototype: true })],
] as const)('the JSON of any %s is restored, and is no longer than it was', (_, values) => {
  fc.assert(
    fc.property(values as fc.Arbitrary<object>, (value) => {
      const json = JSON.stringify(value);
      expect(restored(shortened(json))).toBe(json);
      expect(restored(json)).toBe(json);
      expect(shortened(json).length).toBeLessThanOrEqual(json.length);
    }),
  );
});

test.each([
  ['content', contentOf(plainKey)],
  ['value', fc.dictionary(plainKey, anything, { noNullPrototype: true })],
] as const)('any %s is what it was after it was written and read, in the order that it had', (_, values) => {
  fc.assert(
    fc.property(values as fc.Arbitrary<object>, (value) => {
      const text = toShortJson(value);
      // By its text: what has its own "__proto__" equals much.
      expect(JSON.stringify(fromShortJson(text))).toBe(JSON.stringify(value));
      expect(text.length).toBeLessThanOrEqual(JSON.stringify(value).length);
    }),
  );
});

test('a text that was stored as plain JSON is read', () => {
  fc.assert(
    fc.property(contentOf(plainKey), (value) => {
      const text = JSON.stringify(value);
      expect(JSON.stringify(fromShortJson(text))).toBe(text);
    }),
  );
});

test('what rows refer to is never another fragment', () => {
  // Written by the first version; a line may be added, none changes.
  expect(
    fromShortJson(
      '\u0001a\u00021\u00031\u00042026-01-01T00:00:00Z\u0005me\u0007\u001fF>Milk\u001fS,' +
        String.raw`${'\u001fJ'} term=\"x\"/>"}${'\u0012'}`,
    ),
  ).toEqual({
    sync: {
      id: 'a',
      updates: 1,
      deleted: false,
      history: [{ sequence: 1, when: '2026-01-01T00:00:00Z', by: 'me' }],
    },
    data: {
      format: 'atom',
      children: [
        { namespace: 'http://www.w3.org/2005/Atom', name: 'title', xml: '<title>Milk</title>' },
        { namespace: 'http://www.w3.org/2005/Atom', name: 'category', xml: '<category term="x"/>' },
      ],
      scope: {
        namespaces: [
          ['', 'http://www.w3.org/2005/Atom'],
          ['sx', 'http://feedsync.org/2007/feedsync'],
        ],
      },
    },
    conflicts: [],
  });
  const digest = createHash('sha256').update(shortJsonFragments.slice(0, 90).join('\n')).digest('hex');
  expect(digest).toBe('7f19c920d55ee477ffe579478b43a43f635f15c2764c0795821d77c52f38b300');
});

test('every fragment has a text of its own, and none is longer than two characters', () => {
  expect(new Set(shortJsonFragments).size).toBe(shortJsonFragments.length);
  expect(shortJsonFragments.length).toBeLessThanOrEqual(30 + 95);
});

test.each(['{"a":\u001f~}', '{"a":\u001f'])('a fragment of a newer version is named: %j', (text) => {
  expect(() => fromShortJson(text)).toThrow(RangeError);
});
