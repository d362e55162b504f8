import { FeedError } from './feed-error.ts';

/** What can't be written in XML, or not as it is. */
const special = /[&<>"\p{Cc}\p{Cs}\uFFFE\uFFFF]/u;
const specials = new RegExp(special, 'gu');
/** Those of them that hardly any text has. */
// oxlint-disable-next-line no-control-regex -- control characters are what it is for
const uncommon = /[\0-\x08\x0b-\x1f\p{Cs}\uFFFE\uFFFF]/u;

/** From how many characters on a text is escaped as bytes: four times as fast, and without garbage. */
const longText = 4096;

/**
 * A text as element content. Throws `FeedError` (rule `xml-character`) for a character that XML 1.0 (2.2)
 * forbids.
 */
export function escapeText(text: string): string {
  if (!special.test(text)) return text;
  if (text.length >= longText && !uncommon.test(text)) return escapeBytes(text, textEscapes);
  return text.replace(specials, (character) =>
    character === '"' || character === '\t' || character === '\n' ? character : escapeCharacter(character),
  );
}

/**
 * A text as an attribute's value in double quotes. Throws `FeedError` (rule `xml-character`) like
 * `escapeText`.
 */
export function escapeAttribute(value: string): string {
  if (!special.test(value)) return value;
  if (value.length >= longText && !uncommon.test(value)) return escapeBytes(value, attributeEscapes);
  return value.replace(specials, escapeCharacter);
}

/** What stands for characters of ASCII, by their code. */
type Escapes = readonly (Uint8Array | undefined)[];

function escapesOf(characters: string): Escapes {
  const encoder = new TextEncoder();
  return Array.from({ length: 128 }, (_, code) => {
    const character = String.fromCharCode(code);
    return characters.includes(character) ? encoder.encode(escapeCharacter(character)) : undefined;
  });
}

function escapeBytes(text: string, escapes: Escapes): string {
  const bytes = new TextEncoder().encode(text);
  let length = bytes.length;
  for (const byte of bytes) length += (escapes[byte]?.length ?? 1) - 1;
  const escaped = new Uint8Array(length);
  let end = 0;
  for (const byte of bytes) {
    const escape = escapes[byte];
    if (escape === undefined) escaped[end++] = byte;
    else for (const part of escape) escaped[end++] = part;
  }
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(escaped);
}

function escapeCharacter(character: string): string {
  switch (character) {
    case '&':
      return '&amp;';
    case '<':
      return '&lt;';
    case '>':
      return '&gt;';
    case '"':
      return '&quot;';
    // As they are, a reader would make other white space of these.
    case '\t':
      return '&#9;';
    case '\n':
      return '&#10;';
    case '\r':
      return '&#13;';
  }
  const code = character.charCodeAt(0);
  if (code >= 0x7f && code <= 0x9f) return character;
  const hexadecimal = code.toString(16).toUpperCase().padStart(4, '0');
  throw new FeedError({
    rule: 'xml-character',
    section: 'XML 1.0 2.2',
    message: `The character U+${hexadecimal} can't be written in XML.`,
    line: 1,
    column: 1,
  });
}

const textEscapes = escapesOf('&<>');
const attributeEscapes = escapesOf('&<>"\t\n');

const named: ReadonlyMap<string, string> = new Map([
  ['&amp;', '&'],
  ['&lt;', '<'],
  ['&gt;', '>'],
  ['&quot;', '"'],
  ['&apos;', "'"],
]);

/** The value that a raw attribute of a well-formed document stands for. */
export function readAttributeValue(raw: string): string {
  return readReferences(/[\t\n]/.test(raw) ? raw.replace(/[\t\n]/g, ' ') : raw);
}

/** How much of a text is read at once, in UTF-16 code units: its garbage is soon gone. */
const pieceLength = 65_536;

/**
 * The text that a raw one of a well-formed document stands for, in which there is no markup but references.
 */
export function readReferences(raw: string): string {
  if (!raw.includes('&')) return raw;
  const known = new Map(named);
  const characterOf = (reference: string): string => {
    const character = known.get(reference) ?? numbered(reference);
    known.set(reference, character);
    return character;
  };
  let text = '';
  for (let start = 0; start < raw.length;) {
    const end = start + pieceLength;
    const piece = raw.slice(start, end);
    const open = piece.lastIndexOf('&');
    // A reference is not divided.
    const close = open < 0 ? -1 : raw.indexOf(';', start + open);
    const whole = close < end ? piece : raw.slice(start, close + 1);
    text += whole.replace(/&[^;]+;/g, characterOf);
    start += whole.length;
  }
  return text;
}

/** The character of a numeric reference; another one stays as it is. */
function numbered(reference: string): string {
  if (reference[1] !== '#') return reference;
  const number = reference.slice(2, -1);
  return String.fromCodePoint(
    number.startsWith('x') ? Number.parseInt(number.slice(1), 16) : Number.parseInt(number, 10),
  );
}
