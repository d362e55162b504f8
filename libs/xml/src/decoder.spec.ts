import { describe, expect, test } from '@jest/globals';
import iconv from 'iconv-lite';
import { refusal } from '../../feedsync/src/xml/__fixtures__/reading.ts';
import { createFeedDecoder } from './decoder.ts';

const bytesOf = (text: string, encoding = 'utf8') => new Uint8Array(iconv.encode(text, encoding));

function decode(bytes: Uint8Array, contentType?: string, size = bytes.length): string {
  const decoder = createFeedDecoder(contentType);
  let text = '';
  for (let start = 0; start < bytes.length; start += size)
    text += decoder.write(bytes.subarray(start, start + size));
  return text + decoder.end();
}

describe('the encoding of a feed', () => {
  const declared = '<?xml version="1.0" encoding="windows-1252"?><a>€ “é”</a>';

  test('is UTF-8 if nothing says otherwise', () => {
    expect(decode(bytesOf('<a>é 😀</a>'))).toBe('<a>é 😀</a>');
    expect(decode(bytesOf('<a/>'), 'text/xml')).toBe('<a/>');
  });

  test('is what the XML declaration says if the media type says nothing', () => {
    expect(decode(bytesOf(declared, 'windows-1252'), 'application/rss+xml')).toBe(declared);
  });

  test('is what the media type says rather than the declaration', () => {
    expect(decode(bytesOf(declared), 'text/xml; charset="UTF-8"')).toBe(declared);
    expect(decode(bytesOf('<a>Привет</a>', 'koi8-r'), 'text/xml;charset=KOI8-R')).toBe('<a>Привет</a>');
  });

  test('is that of the byte order mark before the media type, and the mark is no part of the text', () => {
    expect(
      decode(new Uint8Array([0xef, 0xbb, 0xbf, ...bytesOf('<a>é</a>')]), 'text/xml; charset=iso-8859-1'),
    ).toBe('<a>é</a>');
    expect(decode(new Uint8Array([0xff, 0xfe, ...bytesOf('<a>é😀</a>', 'utf-16le')]))).toBe('<a>é😀</a>');
    expect(decode(new Uint8Array([0xfe, 0xff, ...bytesOf('<a>é😀</a>', 'utf-16be')]))).toBe('<a>é😀</a>');
  });

  test.each(['utf-16le', 'utf-16be'])('is found to be %s without a mark', (encoding) => {
    const text = '<?xml version="1.0" encoding="utf-16"?><a/>';
    expect(decode(bytesOf(text, encoding))).toBe(text);
    expect(decode(bytesOf('<a>é</a>', encoding))).toBe('<a>é</a>');
  });

  test('is not UTF-16 because of one byte that is 0', () => {
    for (const text of ['\0<a/>', '<\0a/>', '\0a\0/>', 'a<\0/>', 'a<a\0', '<aa\0', 'a\0a\0'])
      expect(decode(bytesOf(text))).toBe(text);
  });

  test.each(['iso-8859-1', 'us-ascii', 'latin1', 'windows-1252'])(
    'is windows-1252 if it is called %s',
    (name) => {
      const bytes = new Uint8Array([0x3c, 0x61, 0x3e, 0x93, 0x94, 0x96, 0x92, 0x80, 0xe9]);
      expect(decode(bytes, `text/xml; charset=${name}`)).toBe('<a>“”–’€é');
      expect(decode(bytesOf(declared.replace('windows-1252', name), 'windows-1252'))).toContain('€ “é”');
    },
  );

  test('may be one that changes its characters by escape sequences', () => {
    const bytes = new Uint8Array([
      0x3c, 0x61, 0x3e, 0x1b, 0x24, 0x42, 0x34, 0x41, 0x3b, 0x7a, 0x1b, 0x28, 0x42,
    ]);
    for (const size of [1, 1000])
      expect(decode(bytes, 'text/xml; charset=ISO-2022-JP', size)).toBe('<a>漢字');
  });

  test('is found however small the pieces are', () => {
    expect(decode(bytesOf(declared, 'windows-1252'), undefined, 1)).toBe(declared);
    expect(decode(bytesOf('<a>é 😀 漢字</a>'), undefined, 1)).toBe('<a>é 😀 漢字</a>');
    expect(
      decode(bytesOf('<?xml version="1.0" encoding="shift_jis"?><a>漢字</a>', 'shift_jis'), undefined, 1),
    ).toContain('漢字');
  });

  test('is refused if it is unknown, or not a character encoding', () => {
    expect(refusal(() => decode(bytesOf('<a/>'), 'text/xml; charset=klingon')).rule).toBe('encoding-unknown');
    for (const name of ['base64', 'hex', 'utf-7', 'binary'])
      expect(refusal(() => decode(bytesOf('<a/>'), `text/xml; charset=${name}`)).rule).toBe(
        'encoding-unknown',
      );
  });
});

test.each([
  ['a stray continuation byte', [0x3c, 0x61, 0x3e, 0x80]],
  ['an overlong NUL', [0x3c, 0x61, 0x3e, 0xc0, 0x80]],
  ['an encoded surrogate', [0x3c, 0x61, 0x3e, 0xed, 0xa0, 0x80]],
  ['a sequence that ends too early', [0x3c, 0x61, 0x3e, 0xf0, 0x9f]],
])('refuses bytes that are not UTF-8: %s', (_case, bytes) => {
  expect(refusal(() => decode(new Uint8Array(bytes))).rule).toBe('encoding-invalid');
});

test('refuses bytes that do not belong to another encoding', () => {
  expect(refusal(() => decode(bytesOf('<a>\x80'), 'text/xml; charset=euc-jp')).rule).toBe('encoding-invalid');
  expect(refusal(() => decode(new Uint8Array([0xff, 0xfe, 0x00, 0xd8, 0x41, 0x00]))).rule).toBe(
    'encoding-invalid',
  );
});
