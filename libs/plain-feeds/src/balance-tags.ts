import { FeedError } from '#xml';
import type { Violation } from '#xml';
import { beginsElement, isContainer, isItemName, isText } from './element-names.ts';
import { MarkupTree } from './markup-tree.ts';
import type { MarkupElement } from './markup-tree.ts';
import type { Mending } from './mending.ts';
import { matchAt, startTagAt } from './start-tag.ts';
import type { StartTag } from './start-tag.ts';

/** How deep elements may nest. */
const maximumDepth = 100;

/** How many elements an item may have, and the rest of the document: all of them are held. */
const maximumElements = 500_000;

/** How many attributes of an element are read: more than a feed that is read by the rules may have. */
const maximumAttributes = 10_000;

/** What ends an item: its end tag, or what is not in one. */
const itemEnd = /(<\/(?:item|entry)\s*>)|<(?:item|entry|\/channel|\/feed|\/rss|\/rdf:rdf)[\s>]/gi;
const endTag = /<\/([A-Za-z_][\w.-]*(?::[A-Za-z_][\w.-]*)?)(?![\w.-])[^<>]*>/y;
const attribute = /([^\s=/"'<>]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'<>]*)))?/g;
const attributeName = /^[A-Za-z_][\w.-]*(?::[A-Za-z_][\w.-]*)?$/;

/**
 * Reads a document, of which each element ends where it can only end, and markup is read only where the
 * formats have it: what looks like HTML in a text is text, and so is a `<` that begins nothing. Comments and
 * processing instructions are left out, and so is whatever follows the first document. The time is linear in
 * the document's length. Returns the root, undefined if there is none.
 * @param text from the root on
 * @throws FeedError of rule `limit-elements` for more elements beside the items than can be held
 */
export function balanceTags(text: string, mending: Mending, taking: ItemTaking): MarkupElement | undefined {
  return new Balance(text, mending, taking).run();
}

/** What is done with items. */
interface ItemTaking {
  /** How long one may be, in UTF-16 code units. */
  readonly itemLength: number;
  /** Called with each that ends, and what it stands in; returns whether it is not needed any more. */
  take(item: MarkupElement, around: readonly MarkupElement[]): boolean;
  /** Called with the place of one that passes a limit, and is left out. */
  refuse(start: number, end: number, limit: Pick<Violation, 'rule' | 'message'>): void;
}

class Balance {
  readonly #text: string;
  readonly #mending: Mending;
  readonly #open: string[] = [];
  readonly #tree = new MarkupTree();
  readonly #taking: ItemTaking;
  /** How many elements are held. */
  #held = 0;
  /** The last item: where it begins, and how many elements were held before. */
  #item = { start: 0, held: 0 };
  #at = 0;
  #isOver = false;
  /** Whether a CDATA section may still end: looked for until none is found. */
  #hasSectionEnd = true;

  constructor(text: string, mending: Mending, taking: ItemTaking) {
    this.#text = text;
    this.#mending = mending;
    this.#taking = taking;
  }

  run(): MarkupElement | undefined {
    while (this.#at < this.#text.length && !this.#isOver) {
      const next = this.#text.indexOf('<', this.#at);
      this.#write(next < 0 ? this.#text.length : next);
      if (next >= 0) this.#readMarkup();
      this.#checkLimits();
    }
    if (this.#open.length > 0) this.#endEarly();
    return this.#tree.root;
  }

  /** Ends a document that breaks off; an item that has not ended is left out. */
  #endEarly(): void {
    this.#mending.add('ending', this.#text.length);
    const item = this.#open.findIndex(isItemName);
    if (item >= 0) {
      this.#closeTo(item + 1);
      this.#tree.end();
      this.#tree.takeBack();
      this.#open.length = item;
    }
    this.#closeTo(0);
  }

  /** Takes the text up to an offset as it is; outside of the root there is none. */
  #write(end: number): void {
    const piece = this.#text.slice(this.#at, end);
    if (this.#open.length > 0) this.#tree.text(piece);
    else if (piece.trim() !== '')
      this.#mending.add(this.#tree.root === undefined ? 'beginning' : 'root', this.#at);
    this.#at = end;
  }

  #readMarkup(): void {
    const text = this.#text;
    if (text.startsWith('<!--', this.#at)) this.#skipTo('-->');
    else if (text.startsWith('<![CDATA[', this.#at)) this.#readSection();
    else if (text.startsWith('<?', this.#at)) this.#skipTo('?>');
    else this.#readTag();
  }

  #skipTo(end: string): void {
    const found = this.#text.indexOf(end, this.#at);
    this.#at = found < 0 ? this.#text.length : found + end.length;
  }

  #readSection(): void {
    const start = this.#at + '<![CDATA['.length;
    let end = this.#hasSectionEnd ? this.#text.indexOf(']]>', start) : -1;
    let next = end + 3;
    if (end < 0) {
      this.#hasSectionEnd = false;
      this.#mending.add('section', this.#at);
      end = this.#text.indexOf(`</${this.#open.at(-1) ?? ''}`, start);
      if (end < 0) end = this.#text.length;
      next = end;
    }
    if (this.#open.length > 0) this.#tree.section(this.#text.slice(start, end));
    this.#at = next;
  }

  #readTag(): void {
    const offset = this.#at;
    const start = startTagAt(this.#text, offset);
    const end = start === undefined ? matchAt(endTag, this.#text, offset) : undefined;
    if (start !== undefined) {
      this.#at = start.end;
      this.#takeStart(start, offset);
    } else if (end !== undefined) {
      const [whole, name = ''] = end;
      this.#at += whole.length;
      this.#takeEnd(whole, name, offset);
    } else {
      this.#mending.add('less-than', offset);
      if (this.#open.length > 0) this.#tree.text('&lt;');
      this.#at += 1;
    }
  }

  /** The text that is open, if markup in it is to be escaped. */
  get #openText(): string | undefined {
    const open = this.#open.at(-1);
    return open !== undefined && isText(open) ? open : undefined;
  }

  #takeStart({ whole, name, attributes, isEmpty }: StartTag, offset: number): void {
    const text = this.#openText;
    const isAtom = /(?:^|:)feed$/i.test(this.#open[0] ?? '');
    if (
      text !== undefined &&
      !beginsElement(name, text, { hasAttributes: attributes.trim() !== '', isAtom })
    ) {
      this.#mending.add('markup', offset);
      this.#tree.text(whole.replaceAll('<', '&lt;'));
      return;
    }
    if (text !== undefined) this.#endBefore(this.#open.length - 1, offset);
    const item = this.#open.findLastIndex(isItemName);
    if (item >= 0 && isItemName(name)) this.#endBefore(item, offset);
    if (this.#open.length === 0 && this.#tree.root !== undefined) {
      this.#mending.add('root', offset);
      this.#isOver = true;
      return;
    }
    if (this.#open.length >= maximumDepth) return;
    if (isItemName(name)) this.#item = { start: offset, held: this.#held };
    this.#held += 1;
    this.#tree.start(name, this.#attributes(attributes, offset));
    if (isEmpty) {
      this.#tree.end();
      return;
    }
    const isXhtml = /\stype\s*=\s*["']?(?:xhtml|application\/xhtml\+xml|text\/html|html)/i.test(attributes);
    // An element of Atom with XHTML in it is no text of which markup is escaped.
    this.#open.push(isXhtml && /xhtml|mode\s*=\s*["']?xml/i.test(attributes) ? `${name} ` : name);
  }

  #takeEnd(whole: string, name: string, offset: number): void {
    const place = this.#open.findLastIndex((open) => open.trim().toLowerCase() === name.toLowerCase());
    const text = this.#openText;
    if (text !== undefined && place !== this.#open.length - 1 && !(place >= 0 && isContainer(name))) {
      this.#mending.add('markup', offset);
      this.#tree.text(whole.replaceAll('<', '&lt;'));
      return;
    }
    if (place !== this.#open.length - 1) this.#mending.add('end-tag', offset);
    if (place >= 0) this.#closeTo(place);
  }

  #endBefore(depth: number, offset: number): void {
    this.#mending.add('end-tag', offset);
    this.#closeTo(depth);
  }

  /** Ends what is open until so many elements are left. */
  #closeTo(depth: number): void {
    while (this.#open.length > depth) {
      const element = this.#tree.end();
      const isItem = isItemName(this.#open.pop() ?? '');
      if (!isItem || element === undefined || !this.#taking.take(element, this.#tree.open)) continue;
      this.#tree.takeBack();
      this.#held = this.#item.held;
    }
  }

  #checkLimits(): void {
    const { start, held } = this.#item;
    const { itemLength } = this.#taking;
    const isLong = this.#at - start > itemLength;
    if (!isLong && this.#held <= maximumElements) return;
    const place = this.#open.findIndex(isItemName);
    const message = `Something in it has more than ${maximumElements} elements.`;
    if (place < 0 && this.#held > maximumElements)
      throw new FeedError({ rule: 'limit-elements', section: 'limits', message, line: 1, column: 1 });
    if (place < 0) return;
    this.#leaveOut(place);
    const tooLong = `One item is longer than ${itemLength} (limit "itemLength").`;
    this.#taking.refuse(
      start,
      this.#at,
      isLong ? { rule: 'limit-item-length', message: tooLong } : { rule: 'limit-elements', message },
    );
    this.#held = held;
  }

  /** Leaves out an open item, to its end or to what shows that it has ended. */
  #leaveOut(place: number): void {
    while (this.#open.length > place) {
      this.#open.pop();
      this.#tree.end();
    }
    this.#tree.takeBack();
    itemEnd.lastIndex = this.#at;
    const end = itemEnd.exec(this.#text);
    if (end === null) this.#mending.add('ending', this.#text.length);
    this.#at = end === null ? this.#text.length : end.index + (end[1] ?? '').length;
  }

  /** Attributes as XML has them, each once. */
  #attributes(written: string, offset: number): ReadonlyMap<string, string> {
    const all = new Map<string, string>();
    for (const [, name = '', double, single, bare] of written.matchAll(attribute)) {
      const value = double ?? single ?? bare ?? '';
      const isRight = attributeName.test(name) && (double ?? single) !== undefined && !all.has(name);
      if (!isRight || value.includes('<')) this.#mending.add('attribute', offset);
      const isRead = attributeName.test(name) && !all.has(name) && all.size < maximumAttributes;
      if (isRead) all.set(name, value);
    }
    return all;
  }
}
