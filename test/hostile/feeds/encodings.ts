import { deflateSync } from 'node:zlib';
import type { HostileFeed } from '../hostile-feed.ts';
import { atom, atomItem, entry, mergedAs } from '../markup.ts';

const declared = (encoding: string, poison = entry('x', '<summary>caf\u00E9 \u{1F600}</summary>')): string =>
  atom(poison, { before: `<?xml version="1.0" encoding="${encoding}"?>` });
const utf16 = (text: string, { bom = true, big = false } = {}): Buffer => {
  const bytes = Buffer.from(`${bom ? '\uFEFF' : ''}${text}`, 'utf16le');
  return big ? bytes.swap16() : bytes;
};
const utf32 = (text: string): Buffer =>
  Buffer.from(
    Array.from(text, (character) => character.codePointAt(0) ?? 0).flatMap((code) => [
      code & 255,
      (code >> 8) & 255,
      code >> 16,
      0,
    ]),
  );
const typed = (charset: string) => ({ 'content-type': `application/atom+xml; charset=${charset}` });
/** A feed with these bytes in a text. */
const withBytes = (...bytes: number[]): Uint8Array => {
  const [before = '', after = ''] = atomItem('<summary>HERE</summary>').split('HERE');
  return Buffer.concat([Buffer.from(before), Buffer.from(bytes), Buffer.from(after)]);
};
const invalid = { refused: 'encoding-invalid' };
const illFormed = { refused: 'xml-well-formed' };

/** Character encodings that are not what they say, and characters that XML forbids. */
export const encodings: readonly HostileFeed[] = [
  { name: 'encodings/utf-8-with-BOM', body: () => `\uFEFF${declared('utf-8')}`, expected: mergedAs('x') },
  { name: 'encodings/two-BOMs', body: () => `\uFEFF\uFEFF${declared('utf-8')}`, expected: mergedAs('x') },
  { name: 'encodings/utf-16-little-endian', body: () => utf16(declared('utf-16')), expected: mergedAs('x') },
  {
    name: 'encodings/utf-16-big-endian',
    body: () => utf16(declared('utf-16'), { big: true }),
    expected: mergedAs('x'),
  },
  {
    name: 'encodings/utf-16-without-BOM',
    body: () => utf16(declared('utf-16'), { bom: false }),
    expected: mergedAs('x'),
  },
  {
    name: 'encodings/utf-16-big-endian-without-BOM',
    body: () => utf16(declared('utf-16'), { bom: false, big: true }),
    expected: mergedAs('x'),
  },
  {
    name: 'encodings/utf-16-that-ends-early',
    body: () => utf16(declared('utf-16')).subarray(0, -1),
    expected: invalid,
  },
  {
    name: 'encodings/utf-16-with-a-lone-surrogate',
    body: () => utf16(declared('utf-16').replace('\u{1F600}', '\uD83D')),
    expected: invalid,
  },
  { name: 'encodings/utf-16-that-says-utf-8', body: () => utf16(declared('utf-8')), expected: mergedAs('x') },
  { name: 'encodings/utf-8-that-says-utf-16', body: () => declared('utf-16'), expected: illFormed },
  { name: 'encodings/utf-32', body: () => utf32(declared('utf-32')), expected: illFormed },
  {
    name: 'encodings/unknown',
    body: () => declared('x-nonsense'),
    expected: { refused: 'encoding-unknown' },
  },
  {
    name: 'encodings/unknown-by-header',
    body: () => declared('utf-8'),
    headers: typed('x-nonsense'),
    expected: { refused: 'encoding-unknown' },
  },
  { name: 'encodings/long-name', body: () => declared('e'.repeat(1_000_000)), expected: mergedAs('x') },
  {
    name: 'encodings/utf-7',
    body: () => declared('utf-7', entry('x', '<summary>+ADw-b+AD4-</summary>')),
    expected: { refused: 'encoding-unknown' },
  },
  {
    name: 'encodings/latin-1',
    body: () => Buffer.from(declared('iso-8859-1', entry('x', '<summary>caf\u00E9</summary>')), 'latin1'),
    expected: mergedAs('x'),
  },
  {
    name: 'encodings/latin-1-that-says-utf-8',
    body: () => Buffer.from(declared('utf-8', entry('x', '<summary>caf\u00E9</summary>')), 'latin1'),
    expected: invalid,
  },
  {
    name: 'encodings/latin-1-by-header',
    body: () => Buffer.from(declared('utf-8', entry('x', '<summary>caf\u00E9</summary>')), 'latin1'),
    headers: typed('iso-8859-1'),
    expected: mergedAs('x'),
  },
  {
    name: 'encodings/header-of-quotes',
    body: () => declared('utf-8'),
    headers: typed(`"${'\\"'.repeat(5000)}`),
    expected: { refused: 'encoding-unknown' },
  },
  { name: 'encodings/overlong', body: () => withBytes(0xc0, 0xbc), expected: invalid },
  { name: 'encodings/overlong-NUL', body: () => withBytes(0xc0, 0x80), expected: invalid },
  { name: 'encodings/surrogate-in-utf-8', body: () => withBytes(0xed, 0xa0, 0x80), expected: invalid },
  { name: 'encodings/beyond-Unicode', body: () => withBytes(0xf4, 0x90, 0x80, 0x80), expected: invalid },
  { name: 'encodings/cut-character', body: () => withBytes(0xe2, 0x82), expected: invalid },
  { name: 'encodings/lone-continuation', body: () => withBytes(0x80), expected: invalid },
  { name: 'encodings/bytes-FF', body: () => withBytes(0xff, 0xfe, 0xff), expected: invalid },
  { name: 'encodings/NUL', body: () => withBytes(0), expected: illFormed },
  { name: 'encodings/controls', body: () => withBytes(1, 2, 3, 8, 11, 12, 14, 31), expected: illFormed },
  {
    name: 'encodings/C1-controls',
    body: () => atomItem('<summary>\u0080\u0085\u009F\u2028</summary>'),
    expected: mergedAs('x'),
  },
  {
    name: 'encodings/FFFE-and-FFFF',
    body: () => atomItem('<summary>\uFFFE\uFFFF</summary>'),
    expected: illFormed,
  },
  {
    name: 'encodings/noncharacters',
    body: () => atomItem('<summary>\uFDD0\u{1FFFE}\u{10FFFF}</summary>'),
    expected: mergedAs('x'),
  },
  {
    name: 'encodings/references-to-controls',
    body: () => atomItem('<summary>&#x1F;</summary>'),
    expected: illFormed,
  },
  {
    name: 'encodings/reference-to-a-surrogate-pair',
    body: () => atomItem('<summary>&#xD83D;&#xDE00;</summary>'),
    expected: illFormed,
  },
  {
    name: 'encodings/references-to-line-breaks',
    body: () => atomItem('<title>a&#13;&#10;b&#9;c</title><category term="a&#13;&#10;b"/>'),
    expected: mergedAs('x'),
  },
  {
    name: 'encodings/long-references',
    body: () => atomItem(`<summary>&#${'0'.repeat(300_000)}65;&#x${'0'.repeat(300_000)}41;</summary>`),
    expected: mergedAs('x'),
  },
  {
    name: 'encodings/carriage-returns',
    body: () => atomItem(`<summary>${'\r'.repeat(500_000)}\r\n</summary>`),
    expected: mergedAs('x'),
  },
  {
    name: 'encodings/bidirectional-and-combining',
    body: () => atomItem(`<title>\u202Eabc\u2066${'\u0301'.repeat(100_000)}</title>`),
    expected: mergedAs('x'),
  },
  {
    name: 'encodings/version-1.1',
    body: () => atom(entry('x'), { before: '<?xml version="1.1"?>' }),
    expected: { refused: 'xml-version' },
  },
  {
    name: 'encodings/version-2',
    body: () => atom(entry('x'), { before: '<?xml version="2.0"?>' }),
    expected: illFormed,
  },
  { name: 'encodings/packed-and-not-said', body: () => deflateSync(atom(entry('x'))), expected: invalid },
];
