import { textOfHtml } from './html-text.ts';
import { formatNamespace } from './namespace.ts';
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
  const texts = (name: string): string[] =>
    children
      .filter((child) => child.name === name && child.namespace === formatNamespace(format))
      .map((child) => plain(readContent(child.xml).text));
  const contents = format === 'atom' ? [...texts('content'), ...texts('summary')] : texts('description');
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

/** How much of a text is looked at in one go, in UTF-16 code units: what is dropped is soon gone then. */
const pieceLength = 65_536;

function lettersOf(text: string): string {
  let letters = '';
  for (let start = 0; start < text.length;) {
    const last = text.charCodeAt(start + pieceLength - 1);
    const end = start + pieceLength - Number(last >= 0xd800 && last < 0xdc00);
    letters += text.slice(start, end).replace(/[^\p{L}\p{N}]+/gu, '');
    start = end;
  }
  return letters;
}
