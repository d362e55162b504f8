import { decodeHTMLStrict } from 'entities';

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

/** Makes a tree of tags and texts in document order. References are those of HTML. */
export class MarkupTree {
  readonly #open: OpenElement[] = [];
  #root: MarkupElement | undefined;
  #text = '';

  /** The first element; undefined if there is none. */
  get root(): MarkupElement | undefined {
    return this.#root;
  }

  /** @param attributes their values as they are written */
  start(name: string, attributes: ReadonlyMap<string, string>): void {
    this.#endText();
    const read = new Map(Array.from(attributes, ([key, value]) => [key, decodeHTMLStrict(value)]));
    const element: OpenElement = { name, attributes: read, children: [] };
    this.#open.at(-1)?.children.push(element);
    this.#root ??= element;
    this.#open.push(element);
  }

  /** Takes text as it is written. */
  text(written: string): void {
    this.#text += written;
  }

  /** Takes the text of a CDATA section, in which nothing is a reference. */
  section(text: string): void {
    this.#endText();
    this.#open.at(-1)?.children.push(text);
  }

  end(): void {
    this.#endText();
    this.#open.pop();
  }

  /** Takes back the innermost element that is open. */
  takeBack(): void {
    this.#text = '';
    this.#open.pop();
    this.#open.at(-1)?.children.pop();
  }

  #endText(): void {
    if (this.#text !== '') this.#open.at(-1)?.children.push(decodeHTMLStrict(this.#text));
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
