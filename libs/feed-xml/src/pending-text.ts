import type { StrictParser } from './strict-parser.ts';

/** The part of an arriving document that has been read and not cut off yet, and the places in it. */
export class PendingText {
  readonly #parser: StrictParser;
  #text = '';
  #offset = 0;
  #cutOffset = 0;
  #cutColumn = 1;

  constructor(parser: StrictParser) {
    this.#parser = parser;
  }

  /** How much has been read since the last cut, in UTF-16 code units. */
  get length(): number {
    return this.#parser.offset - this.#cutOffset;
  }

  /** Gives the next piece of the document to the parser, whose handlers may cut, and forgets what was cut off. */
  read(text: string): void {
    this.#text += text;
    this.#parser.write(text);
    if (this.#cutOffset === this.#offset) return;
    this.#text = this.#text.slice(this.#cutOffset - this.#offset);
    this.#offset = this.#cutOffset;
  }

  /** The text from one offset in the document, not before the last cut, to another; from the last cut to what has been read where they are absent. */
  slice(start = this.#cutOffset, end = this.#parser.offset): string {
    return this.#text.slice(start - this.#offset, end - this.#offset);
  }

  /** Where a tag begins whose name has just been read. */
  position(name: string, offset: number): { line: number; column: number } {
    const isNameAtLineEnd = this.#text.charCodeAt(offset - this.#offset + name.length + 1) === 0x0a;
    const before = this.slice(this.#cutOffset, offset);
    const lineBreak = before.lastIndexOf('\n');
    const column = lineBreak < 0 ? this.#cutColumn + before.length : before.length - lineBreak;
    return { line: this.#parser.line - (isNameAtLineEnd ? 1 : 0), column };
  }

  /** Cuts off all before an offset with its column; all that has been read where they are absent. */
  cut(offset = this.#parser.offset, column = this.#parser.column): void {
    this.#cutOffset = offset;
    this.#cutColumn = column;
  }
}
