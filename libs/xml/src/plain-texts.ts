import { textOfHtml } from './html-text.ts';
import { contentNamespace, formatNamespace } from './namespace.ts';
import type { Payload } from './payload.ts';
import { readContent } from './text-content.ts';

/** How often markup is taken out of what may be markup in markup. */
const deepestMarkup = 3;

/**
 * The letters and digits of what an item says: its title, and its content or else its summary; of an outline
 * its text, and its other attributes. White space, markup and accents do not count, so it is the same in
 * Atom, RSS and JSON, however the text is escaped.
 */
export function plainTexts({
  format,
  children,
  attributes = [],
}: Payload): readonly [title: string, text: string] {
  if (format === 'opml') {
    const own = attributes.filter(({ namespace }) => namespace === '');
    const others = own
      .filter(({ name }) => name !== 'text')
      .map(({ name, value }) => `${name} ${value}`)
      .toSorted();
    return [plain(own.find(({ name }) => name === 'text')?.value ?? ''), plain(others.join(' '))];
  }
  const texts = (name: string, namespace = formatNamespace(format)): string[] =>
    children
      .filter((child) => child.name === name && child.namespace === namespace)
      .map((child) => plain(readContent(child.xml).text));
  const contents =
    format === 'atom'
      ? [...texts('content'), ...texts('summary')]
      : [...texts('encoded', contentNamespace), ...texts('description')];
  return [texts('title')[0] ?? '', contents.find((text) => text !== '') ?? ''];
}

function plain(text: string): string {
  let read = text;
  for (let depth = 0; depth < deepestMarkup; depth += 1) read = textOfHtml(read);
  return lettersOf(
    read
      .replace(/&([a-z])(?:acute|grave|circ|uml|tilde|ring|cedil|slash|caron);/gi, '$1')
      .replace(/&[a-z0-9]{2,31};/gi, '')
      .normalize('NFKD'),
  );
}

const letter = /[\p{L}\p{N}]/u;
const decoder = new TextDecoder('utf-16le', { ignoreBOM: true });
/** Whether a character is a letter or digit: 1, or 2 if it is none; 0 if that is not known yet. */
const known = new Uint8Array(0x11_0000);

/** The letters and digits of a text; ten times as fast as replacing all others. */
function lettersOf(text: string): string {
  const letters = new Uint16Array(text.length);
  let end = 0;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    const code = unit >= 0xd800 && unit < 0xdc00 ? (text.codePointAt(at) ?? unit) : unit;
    if (code !== unit) at += 1;
    if (known[code] === 0) known[code] = letter.test(String.fromCodePoint(code)) ? 1 : 2;
    if (known[code] === 2) continue;
    letters[end++] = unit;
    if (code !== unit) letters[end++] = text.charCodeAt(at);
  }
  return decoder.decode(letters.subarray(0, end));
}
