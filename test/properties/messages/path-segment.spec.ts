import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { pathSegment, textOfPathSegment } from '#contracts';

const troublesome = fc.constantFrom(
  '.',
  '..',
  '/',
  '\\',
  '%',
  '%2',
  '%2e',
  '%2E',
  '%2f',
  '%00',
  '~',
  '~AC4',
  '?',
  '#',
  ';',
  ':',
  '@',
  '&',
  '=',
  '+',
  ' ',
  '\t',
  '\n',
  '\r',
  '\0',
  '\u007f',
  '\u0085',
  '\u2028',
  '|',
  '[',
  ']',
  '{',
  '}',
  '^',
  '`',
  '"',
  '<',
  '>',
  "'",
  'é',
  '新',
  '😀',
  '\ud800',
  '\udc00',
  '\ufffd',
  '\ufeff',
  '\uffff',
  'a',
  'Z',
  '9',
);
const texts = fc.oneof(
  fc.array(troublesome, { maxLength: 6 }).map((parts) => parts.join('')),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc
    .tuple(troublesome, fc.constantFrom(4095, 4096))
    .map(([part, length]) => part.repeat(length).slice(0, length)),
);
const before = 'http://127.0.0.1:8080/v1/collections/todo/items/';

/** What is read from a path after its percent-encoding was. */
const readBack = (segment: string): string | undefined => textOfPathSegment(decodeURIComponent(segment));

test('every text has a segment that a WHATWG URL leaves as it is, and that is read back', () => {
  fc.assert(
    fc.property(texts, (text) => {
      const segment = pathSegment(text);
      for (const after of ['', '/links/0/fetch', '?x=1'])
        expect(new URL(`${before}${segment}${after}`).href).toBe(`${before}${segment}${after}`);
      expect(new URL(segment, before).href).toBe(before + segment);
      expect(segment).toMatch(/^[A-Za-z0-9\-_.!~*'()%]+$/);
      expect(segment).not.toMatch(/%(?:2[5f]|5c|[01][0-9a-f]|7f)|%(?![0-9A-F]{2})|^(?:\.|%2e){1,2}$/i);
      expect(readBack(segment)).toBe(text);
    }),
  );
});

test('what is percent-encoded only is read too, unless it begins with "~" or is nothing but dots', () => {
  fc.assert(
    fc.property(
      texts.filter((text) => !/^(?:~|\.{0,2}$)|\p{Cs}/u.test(text)),
      (text) => {
        expect(readBack(encodeURIComponent(text))).toBe(text);
      },
    ),
  );
});
