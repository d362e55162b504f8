import type { Violation } from '#xml';

/** What may be wrong with a feed that is read all the same. */
const sentences = {
  encoding: 'Its bytes are not in the encoding that it names; it was read as another one.',
  bytes: 'It has bytes that are no characters of its encoding, UTF-8; each was read as U+FFFD.',
  beginning: 'Something stands before its first tag; that was left out.',
  character: 'It has characters that XML forbids; they were left out.',
  'less-than': 'A "<" that begins no tag stands in a text; it was read as a character.',
  markup: 'Markup stands in a text without being escaped; it was read as text.',
  attribute: 'A tag has attributes that are not written by the rules; they were read as far as possible.',
  'end-tag':
    'An end tag is missing, or stands where nothing ends; it was set where the element can only end.',
  ending: 'It breaks off; an item that had not ended was left out.',
  section: 'A CDATA section does not end; it was ended with its element.',
  root: 'More than one document stands in it; the first one was read.',
  prefix: 'It uses prefixes of namespaces that it does not declare.',
  namespace: 'It is called like a feed of Atom, and is not in the namespace of Atom.',
  reference: 'It has references, or an ampersand, that XML does not define.',
  xml: 'Its XML is not well-formed; it was read as far as possible.',
  structure: 'Its elements do not stand where its format has them; they were put there.',
} as const;

type Mend = keyof typeof sentences;

/** Collects what was mended of one feed: each kind once, where it was met first. */
export class Mending {
  readonly #met = new Map<Mend, number>();
  readonly #text: string;

  /** @param text the document, for the places */
  constructor(text: string) {
    this.#text = text;
  }

  /** @param offset where, in UTF-16 code units from the beginning of the document */
  add(kind: Mend, offset = 0): void {
    if (!this.#met.has(kind)) this.#met.set(kind, offset);
  }

  get isEmpty(): boolean {
    return this.#met.size === 0;
  }

  /** What was mended as warnings, in the order in which it was met. */
  get violations(): readonly Violation[] {
    return [...this.#met].map(([kind, offset]) => ({
      rule: `mended-${kind}`,
      section: 'XML 1.0',
      message: sentences[kind],
      severity: 'warning',
      ...this.placeOf(offset),
    }));
  }

  placeOf(offset: number): Pick<Violation, 'line' | 'column'> {
    let [line, start] = [1, 0];
    for (
      let end = this.#text.indexOf('\n');
      end >= 0 && end < offset;
      end = this.#text.indexOf('\n', start)
    ) {
      line += 1;
      start = end + 1;
    }
    return { line, column: offset - start + 1 };
  }
}
