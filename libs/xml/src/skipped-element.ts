import { createHash, hash } from 'node:crypto';
import type { Hash } from 'node:crypto';
import { FeedError } from './feed-error.ts';
import type { TextPlace } from './pending-text.ts';

/** How many characters are hashed in one go. */
const hashedTogether = 65_536;

/** What stands between tags: how it begins, and how it ends. */
const spans: readonly (readonly [start: string, end: string])[] = [
  ['<!--', '-->'],
  ['<![CDATA[', ']]>'],
  ['<?', '?>'],
];

/**
 * Finds the end of an element while its text arrives, in memory that does not grow with it, however long or
 * deep the element is. Tells only tags, comments, CDATA sections and instructions apart.
 */
export class SkippedElement {
  readonly #start: TextPlace;
  readonly #isBetween: boolean;
  /** The hash of what was skipped before `#unhashed`; absent if that is all. */
  #hash: Hash | undefined;
  #unhashed = '';
  #length = 0;
  #lines = 0;
  /** How much had been read at the last line break. */
  #lineStart = 0;
  #depth = 0;
  #state: 'text' | 'tag' | 'span' = 'text';
  /** What ends the span, or the value in the tag. */
  #end = '';
  #isEndTag = false;
  /** The end of the text so far that has to be read with what follows. */
  #held = '';

  /**
   * @param start where it begins
   * @param isBetween whether to stop before the next tag instead of behind the next element
   */
  constructor(start: TextPlace, isBetween = false) {
    this.#start = start;
    this.#isBetween = isBetween;
  }

  /** The place behind what has been skipped. */
  get end(): TextPlace {
    const { offset, line, column } = this.#start;
    return {
      offset: offset + this.#length,
      line: line + this.#lines,
      column: this.#lines === 0 ? column + this.#length : this.#length - this.#lineStart + 1,
    };
  }

  /** SHA-256 of what has been skipped, base64url. */
  digest(): string {
    return this.#hash === undefined
      ? hash('sha256', this.#unhashed, 'base64url')
      : this.#hash.copy().update(this.#unhashed).digest('base64url');
  }

  /** Takes the next piece; returns what stands behind the element, undefined if that has not ended. */
  read(piece: string): string | undefined {
    const text = this.#held + piece;
    const { end, isOver } = this.#advance(text);
    this.#count(text.slice(0, end));
    this.#held = isOver ? '' : text.slice(end);
    return isOver ? text.slice(end) : undefined;
  }

  /** Throws the error for a document that ends in the element. */
  failAtEnd(): never {
    const { line, column } = this.#start;
    const message = 'Not well-formed: the document ends in an element that begins here.';
    throw new FeedError({ rule: 'xml-well-formed', section: 'XML 1.0', message, line, column });
  }

  #count(skipped: string): void {
    this.#unhashed += skipped;
    if (this.#unhashed.length > hashedTogether) {
      // Hashes are dear objects, which a short element needs none of.
      this.#hash = (this.#hash ?? createHash('sha256')).update(this.#unhashed);
      this.#unhashed = '';
    }
    for (let at = skipped.indexOf('\n'); at >= 0; at = skipped.indexOf('\n', at + 1)) {
      this.#lines += 1;
      this.#lineStart = this.#length + at + 1;
    }
    this.#length += skipped.length;
  }

  /** Reads as much of a text as can be; returns how far, and whether that is all. */
  #advance(text: string): { readonly end: number; readonly isOver: boolean } {
    for (let at = 0; ;) {
      const next = this.#state === 'text' ? this.#markup(text, at) : this.#part(text, at);
      if ('end' in next) return next;
      ({ at } = next);
    }
  }

  /** Reads to the beginning of the next tag or span. */
  #markup(text: string, from: number): Step {
    const at = text.indexOf('<', from);
    if (at < 0) return { end: text.length, isOver: false };
    const next = text[at + 1];
    const span =
      next === '!' || next === '?' ? spans.find(([start]) => text.startsWith(start, at)) : undefined;
    if (span === undefined && (next === undefined || (next === '!' && text.length - at < longestStart)))
      return { end: at, isOver: false };
    if (span === undefined && this.#isBetween) return { end: at, isOver: true };
    this.#state = span === undefined ? 'tag' : 'span';
    this.#end = span?.[1] ?? '';
    this.#isEndTag = next === '/';
    return { at: at + (span?.[0].length ?? 1) };
  }

  /** Reads to the end of a span or of a value, or to what is next in a tag. */
  #part(text: string, from: number): Step {
    if (this.#end !== '') {
      const at = text.indexOf(this.#end, from);
      if (at < 0) return { end: Math.max(from, text.length - this.#end.length + 1), isOver: false };
      const next = at + this.#end.length;
      this.#end = '';
      if (this.#state === 'span') this.#state = 'text';
      return { at: next };
    }
    tagPart.lastIndex = from;
    const at = tagPart.exec(text)?.index;
    // One character is held, which may be the slash of an empty element.
    if (at === undefined) return { end: Math.max(from, text.length - 1), isOver: false };
    if (text[at] !== '>') {
      this.#end = text[at] ?? '';
      return { at: at + 1 };
    }
    this.#state = 'text';
    if (this.#isEndTag) this.#depth -= 1;
    else if (text[at - 1] !== '/') this.#depth += 1;
    return this.#depth <= 0 ? { end: at + 1, isOver: true } : { at: at + 1 };
  }
}

/** How far a text has been read: to be read on, or as far as can be. */
type Step = { readonly at: number } | { readonly end: number; readonly isOver: boolean };

const longestStart = Math.max(...spans.map(([start]) => start.length));
const tagPart = /["'>]/g;
