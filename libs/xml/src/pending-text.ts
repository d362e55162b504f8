import type { Position } from './fragment.ts';
import type { StrictParser } from './strict-parser.ts';

/** A place in an arriving document. */
export interface TextPlace extends Position {
  readonly offset: number;
}

/** The part of an arriving document that has been read and not cut off yet, and the places in it. */
export class PendingText {
  readonly #parser: StrictParser;
  #text = '';
  #offset = 0;
  #cutOffset = 0;
  #cutPosition: Position = { line: 1, column: 1 };
  /** The last piece, where it begins in the document, and where the line began that it begins in. */
  #piece = '';
  #pieceOffset = 0;
  #lineOffset = 0;

  constructor(parser: StrictParser) {
    this.#parser = parser;
  }

  /** Where the last cut is. */
  get cutPlace(): TextPlace {
    return { offset: this.#cutOffset, ...this.#cutPosition };
  }

  /** How much has been read since the last cut, in UTF-16 code units. */
  get length(): number {
    return this.#parser.offset - this.#cutOffset;
  }

  /**
   * Gives the next piece of the document to the parser, whose handlers may cut, and forgets what was cut off.
   */
  read(text: string): void {
    this.#text += text;
    const lastBreak = this.#piece.lastIndexOf('\n');
    if (lastBreak >= 0) this.#lineOffset = this.#pieceOffset + lastBreak + 1;
    this.#pieceOffset += this.#piece.length;
    this.#piece = text;
    this.#parser.write(text);
    if (this.#cutOffset === this.#offset) return;
    this.#text = this.#text.slice(this.#cutOffset - this.#offset);
    this.#offset = this.#cutOffset;
  }

  /**
   * The text from one offset in the document, not before the last cut, to another; from the last cut to what
   * has been read if they are absent.
   */
  slice(start = this.#cutOffset, end = this.#parser.offset): string {
    return this.#text.slice(start - this.#offset, end - this.#offset);
  }

  /** All that is there from an offset on, also what the parser has not read. */
  rest(offset: number): string {
    return this.#text.slice(offset - this.#offset);
  }

  /** Forgets all, and goes on at a later place, as the parser does. */
  restart(place: TextPlace): void {
    this.#text = '';
    this.#piece = '';
    this.#offset = place.offset;
    this.#cutOffset = place.offset;
    this.#cutPosition = place;
    this.#pieceOffset = place.offset;
    this.#lineOffset = place.offset - place.column + 1;
  }

  /**
   * Where a tag begins whose name has just been read. In time that does not grow with what has been read
   * since the last cut.
   */
  position(name: string, offset: number): Position {
    const { line, column } = this.#parser;
    if (column > 1) return { line, column: column - name.length - 2 };
    // The name was at the end of its line, which the parser has left behind.
    const lineBreak =
      offset > this.#pieceOffset ? this.#piece.lastIndexOf('\n', offset - this.#pieceOffset - 1) : -1;
    const lineOffset = lineBreak < 0 ? this.#lineOffset : this.#pieceOffset + lineBreak + 1;
    return { line: line - 1, column: offset - lineOffset + 1 };
  }

  /** Cuts off all before an offset; all that has been read if it is absent. */
  cut(offset = this.#parser.offset): void {
    this.#cutOffset = offset;
    this.#cutPosition = { line: this.#parser.line, column: this.#parser.column };
  }
}
