import { FeedError } from './feed-error.ts';

const special = /[&<>"\p{Cc}\p{Cs}\uFFFE\uFFFF]/u;
const specials = new RegExp(special, 'gu');
/** Those of a text, which may have quotation marks, tabs and line feeds, and has very many of them. */
// oxlint-disable-next-line no-control-regex -- control characters are what it is for
const specialsOfText = /[&<>\0-\x08\x0b-\x1f\p{Cs}\uFFFE\uFFFF]/gu;

/**
 * A text as element content. Throws `FeedError` (rule `xml-character`) for a character that XML 1.0 (2.2)
 * forbids.
 */
export function escapeText(text: string): string {
  return special.test(text) ? text.replace(specialsOfText, escapeCharacter) : text;
}

/**
 * A text as an attribute's value in double quotes. Throws `FeedError` (rule `xml-character`) like
 * `escapeText`.
 */
export function escapeAttribute(value: string): string {
  return special.test(value) ? value.replace(specials, escapeCharacter) : value;
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

const named: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
]);

/** The value that a raw attribute of a well-formed document stands for. */
export function readAttributeValue(raw: string): string {
  return readReferences(/[\t\n]/.test(raw) ? raw.replace(/[\t\n]/g, ' ') : raw);
}

/**
 * The text that a raw one of a well-formed document stands for, in which there is no markup but references.
 */
export function readReferences(raw: string): string {
  if (!raw.includes('&')) return raw;
  // Texts of megabytes are read three times as fast so as by a function for each reference.
  if (!raw.includes('&#'))
    return raw
      .replace(/&lt;/g, '<')
      .replace(/&gt;/g, '>')
      .replace(/&quot;/g, '"')
      .replace(/&apos;/g, "'")
      .replace(/&amp;/g, '&');
  return raw.replace(
    /&(?:#x([0-9A-Fa-f]+)|#([0-9]+)|([a-z]+));/g,
    (reference, hexadecimal?: string, decimal?: string, name?: string) => {
      if (hexadecimal !== undefined) return String.fromCodePoint(Number.parseInt(hexadecimal, 16));
      if (decimal !== undefined) return String.fromCodePoint(Number(decimal));
      return named.get(name ?? '') ?? reference;
    },
  );
}
