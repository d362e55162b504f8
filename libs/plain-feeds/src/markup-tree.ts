import { decodeHTMLStrict } from 'entities';
import { withoutForbidden } from './forbidden-characters.ts';

/** An element as it is written: names with their prefixes. */
export interface MarkupElement {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: readonly MarkupNode[];
}

/** An element, or character data. */
export type MarkupNode = MarkupElement | string;

/** An element that is being read. */
interface OpenElement extends MarkupElement {
  readonly children: MarkupNode[];
}

const noAttributes: ReadonlyMap<string, string> = new Map();

/** How many pieces of a text are put together in one go. */
const joinedPieces = 4096;

/** Makes a tree of tags and texts in document order. References are those of HTML. */
export class MarkupTree {
  readonly #open: OpenElement[] = [];
  #root: MarkupElement | undefined;
  #pieces: string[] = [];
  #text = '';

  /** The first element; undefined if there is none. */
  get root(): MarkupElement | undefined {
    return this.#root;
  }

  /** The elements that are open, the root first. */
  get open(): readonly MarkupElement[] {
    return this.#open;
  }

  /** @param attributes their values as they are written */
  start(name: string, attributes: ReadonlyMap<string, string>): void {
    this.#endText();
    const read = Array.from(attributes, ([key, value]) => [key, decodeHTMLStrict(value)] as const);
    const element: OpenElement = {
      name,
      attributes: read.length === 0 ? noAttributes : new Map(read),
      children: [],
    };
    this.#open.at(-1)?.children.push(element);
    this.#root ??= element;
    this.#open.push(element);
  }

  /** Takes text as it is written. */
  text(written: string): void {
    this.#pieces.push(written);
    if (this.#pieces.length === joinedPieces) this.#join();
  }

  /** Takes the text of a CDATA section, in which nothing is a reference. */
  section(text: string): void {
    this.#endText();
    this.#open.at(-1)?.children.push(text);
  }

  /** Ends the innermost element that is open, and returns it. */
  end(): MarkupElement | undefined {
    this.#endText();
    return this.#open.pop();
  }

  /** Takes back what was added last to the innermost element that is open. */
  takeBack(): void {
    this.#open.at(-1)?.children.pop();
  }

  /** No reference spans two pieces. Characters that are forbidden are left out here, for that keeps the text
   * in one piece of memory, which a text of many references is not. */
  #join(): void {
    this.#text += withoutForbidden(decodeHTMLStrict(this.#pieces.join('')));
    this.#pieces = [];
  }

  #endText(): void {
    this.#join();
    if (this.#text !== '') this.#open.at(-1)?.children.push(this.#text);
    this.#text = '';
  }
}

/** All of the character data in an element. */
export function textOf({ children }: MarkupElement): string {
  return children.map((child) => (typeof child === 'string' ? child : textOf(child))).join('');
}

/** The child elements. */
export function elementsOf({ children }: MarkupElement): readonly MarkupElement[] {
  return children.filter((child) => typeof child !== 'string');
}
