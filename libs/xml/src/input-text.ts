import type { StrictParser } from './strict-parser.ts';

const loneSurrogate = /\p{Surrogate}/u;

/**
 * What stands between a text that comes in pieces and the parser: makes line ends line feeds (XML 1.0, 2.11),
 * never splits a surrogate pair, and refuses lone surrogates (rule `xml-character`).
 */
export class InputText {
  readonly #parser: StrictParser;
  #held = '';

  constructor(parser: StrictParser) {
    this.#parser = parser;
  }

  /** The part of the text so far that can be given to the parser now. */
  take(piece: string): string {
    const text = this.#held === '' ? piece : this.#held + piece;
    const last = text.charCodeAt(text.length - 1);
    const split = last === 0x0d || (last >= 0xd800 && last <= 0xdbff);
    this.#held = split ? text.slice(-1) : '';
    return this.#check(split ? text.slice(0, -1) : text);
  }

  /** What was held back. */
  end(): string {
    const rest = this.#held;
    this.#held = '';
    return this.#check(rest);
  }

  #check(text: string): string {
    const normalised = text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text;
    const lone = normalised.search(loneSurrogate);
    if (lone >= 0) {
      this.#parser.write(normalised.slice(0, lone));
      this.#parser.fail('xml-character', 'XML 1.0 2.2', 'A lone surrogate is not a character.');
    }
    return normalised;
  }
}
