import { describe, expect, test } from '@jest/globals';
import { escapeAttribute, escapeText, readAttributeValue, readReferences } from './escape.ts';

const characters = ['&', '<', '>', '"', "'", '\t', '\n', '\uFEFF', '\u00e9', '\u{1f600}', 'a'];
const long = characters.join('').repeat(20_000);

describe('a long text', () => {
  test.each([
    ['element content', escapeText],
    ['an attribute', escapeAttribute],
  ])('is escaped as its characters are, as %s', (_what, escape) => {
    expect(escape(long)).toBe(characters.map(escape).join('').repeat(20_000));
  });

  test('is read back, wherever its references stand', () => {
    expect(readReferences(escapeText(long))).toBe(long);
    expect(readAttributeValue(escapeAttribute(long))).toBe(long);
  });

  test('may have a reference longer than what is read at once', () => {
    expect(readReferences(`b&#${'0'.repeat(200_000)}65;${'&amp;c'.repeat(50_000)}`)).toBe(
      `bA${'&c'.repeat(50_000)}`,
    );
  });

  test.each([escapeText, escapeAttribute])('with a forbidden character is refused', (escape) => {
    expect(() => escape(`${long}\0`)).toThrow('U+0000');
    expect(() => escape(`${long}\uD800`)).toThrow('U+D800');
  });
});

test.each([
  ['&#9;&#x41;&#x2028;&#x1f600;&#x1F600;&#128512;', '\tA\u2028\u{1f600}\u{1f600}\u{1f600}'],
  ['&#127;&#128;&#2047;&#2048;&#65533;&#65536;&#x10FFFF;', '\x7f\x80\u07ff\u0800\ufffd\u{10000}\u{10ffff}'],
  ['&unknown;&amp;', '&unknown;&'],
  ['&amp;lt;&lt;&gt;&quot;&apos;', '&lt;<>"\''],
  ['\uFEFF&#xabc;', '\uFEFF\u0abc'],
])('the references in %j are read', (raw, text) => {
  expect(readReferences(raw)).toBe(text);
});
