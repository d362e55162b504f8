import { FeedError } from './feed-error.ts';

/** What can't be written in XML, or not as it is. */
const special = /[&<>"\p{Cc}\p{Cs}\uFFFE\uFFFF]/u;
/** What XML 1.0 (2.2) forbids. */
// oxlint-disable-next-line no-control-regex -- control characters are what it is for
const forbidden = /[\0-\x08\x0b\x0c\x0e-\x1f\p{Cs}\uFFFE\uFFFF]/u;

/** What is written for the bytes of a text: how long it is, and what it is where that is not the byte. */
interface Escapes {
  readonly lengths: Uint8Array;
  readonly bytes: ReadonlyMap<number, Uint8Array>;
}

// As bytes, a text of megabytes is read and written four times as fast, and makes no garbage.
const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

function escapesOf(written: Readonly<Record<string, string>>): Escapes {
  const lengths = new Uint8Array(256).fill(1);
  const bytes = new Map<number, Uint8Array>();
  for (const [character, escape] of Object.entries(written)) {
    lengths[character.charCodeAt(0)] = escape.length;
    bytes.set(character.charCodeAt(0), encoder.encode(escape));
  }
  return { lengths, bytes };
}

const ofText = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '\r': '&#13;' };
const textEscapes = escapesOf(ofText);
const htmlEscapes = escapesOf({ '&': '&amp;', '<': '&lt;' });
// As they are, a reader would make other white space of the last two.
const attributeEscapes = escapesOf({ ...ofText, '"': '&quot;', '\t': '&#9;', '\n': '&#10;' });

/**
 * A text as element content. Throws `FeedError` (rule `xml-character`) for a character that XML 1.0 (2.2)
 * forbids.
 */
export function escapeText(text: string): string {
  return special.test(text) ? escaped(text, textEscapes) : text;
}

/**
 * A text as an attribute's value in double quotes. Throws `FeedError` (rule `xml-character`) like
 * `escapeText`.
 */
export function escapeAttribute(value: string): string {
  return special.test(value) ? escaped(value, attributeEscapes) : value;
}

/** A plain text as HTML. */
export function htmlOfText(text: string): string {
  if (!/[&<]/.test(text)) return text;
  // Bytes can't have a lone surrogate, which is refused where it is written.
  if (forbidden.test(text)) return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  return withEscapes(text, htmlEscapes);
}

function escaped(text: string, escapes: Escapes): string {
  const refused = forbidden.exec(text)?.[0];
  if (refused !== undefined) throw forbiddenCharacter(refused);
  return withEscapes(text, escapes);
}

function withEscapes(text: string, escapes: Escapes): string {
  const { lengths } = escapes;
  const bytes = encoder.encode(text);
  let length = 0;
  for (let at = 0; at < bytes.length; at += 1) length += lengths[bytes[at] ?? 0] ?? 1;
  const written = new Uint8Array(length);
  let end = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    if (lengths[byte] === 1) written[end++] = byte;
    else for (const part of escapes.bytes.get(byte) ?? []) written[end++] = part;
  }
  return decoder.decode(written);
}

function forbiddenCharacter(character: string): FeedError {
  const hexadecimal = character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
  return new FeedError({
    rule: 'xml-character',
    section: 'XML 1.0 2.2',
    message: `The character U+${hexadecimal} can't be written in XML.`,
    line: 1,
    column: 1,
  });
}

/** The value that a raw attribute of a well-formed document stands for. */
export function readAttributeValue(raw: string): string {
  return readReferences(/[\t\n]/.test(raw) ? raw.replace(/[\t\n]/g, ' ') : raw);
}

/** The characters with a name, by the bytes of the name as one number. */
const named: ReadonlyMap<number, number> = new Map(
  Object.entries({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }).map(([name, character]) => [
    encoder.encode(name).reduce((number, byte) => number * 256 + byte),
    character.charCodeAt(0),
  ]),
);
const [ampersand = 0, semicolon = 0, numberSign = 0, letterX = 0] = encoder.encode('&;#x');

/**
 * The text that a raw one of a well-formed document stands for, in which there is no markup but references.
 */
export function readReferences(raw: string): string {
  if (!raw.includes('&')) return raw;
  const bytes = encoder.encode(raw);
  let end = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    const close = byte === ampersand ? bytes.indexOf(semicolon, at) : -1;
    const code = close < 0 ? undefined : referenced(bytes, at + 1, close);
    if (code === undefined) {
      bytes[end++] = byte;
      continue;
    }
    // A character is shorter than the reference to it.
    end = writeCharacter(bytes, end, code);
    at = close;
  }
  return decoder.decode(bytes.subarray(0, end));
}

/** The code point that the reference between these places stands for; undefined for an unknown name. */
function referenced(bytes: Uint8Array, start: number, end: number): number | undefined {
  const isNumber = bytes[start] === numberSign;
  const isHexadecimal = isNumber && bytes[start + 1] === letterX;
  let number = 0;
  for (let at = start + Number(isNumber) + Number(isHexadecimal); at < end; at += 1) {
    const byte = bytes[at] ?? 0;
    if (!isNumber) number = number * 256 + byte;
    // A digit, or a letter of either case, whose codes end in its place in the alphabet.
    else number = number * (isHexadecimal ? 16 : 10) + (byte < 0x40 ? byte & 15 : (byte & 7) + 9);
  }
  return isNumber ? number : named.get(number);
}

/** Writes a character in UTF-8; returns the place after it. */
function writeCharacter(bytes: Uint8Array, start: number, code: number): number {
  if (code < 0x80) {
    bytes[start] = code;
    return start + 1;
  }
  const length = code < 0x800 ? 2 : code < 0x1_00_00 ? 3 : 4;
  for (let place = length - 1, rest = code; place > 0; place -= 1, rest >>= 6)
    bytes[start + place] = 0x80 | (rest & 0x3f);
  bytes[start] = ((0xf00 >> length) & 0xff) | (code >> (6 * (length - 1)));
  return start + length;
}
