import type { SaxesTagNS } from 'saxes';
import { containers, readRoot } from './feed-root.ts';
import { FeedError } from './feed-error.ts';
import type { FeedHead } from './feed.ts';
import type { Fragment, Position } from './fragment.ts';
import { HeadParts } from './head-parts.ts';
import type { HeadPlaces } from './head-parts.ts';
import { readHead } from './head.ts';
import { identifierIn } from './identifier.ts';
import { InheritedScope } from './inherited-scope.ts';
import { InputText } from './input-text.ts';
import { itemName } from './namespace.ts';
import type { Dialect } from './dialect.ts';
import { OpenChild } from './open-child.ts';
import type { ExpandedName } from './open-child.ts';
import { OutlineScan } from './opml/outline-scan.ts';
import type { Format, Scope } from './payload.ts';
import { isOfOnePart, OversizePart } from './oversize-part.ts';
import type { DocumentParts } from './oversize-part.ts';
import { PendingText } from './pending-text.ts';
import { defaultScanLimits } from './scan-limits.ts';
import type { ScanLimits } from './scan-limits.ts';
import { SiblingRow } from './sibling-row.ts';
import { StrictParser } from './strict-parser.ts';

/**
 * Cuts a document into its items while it arrives, and holds no more than the current item and the head: Atom
 * 1.0, RSS 2.0 or OPML, as far as the dialect has them. Outlines are cut out one by one at any depth, those
 * in an outline before it. An item of Atom or RSS that passes a limit is skipped, and returned as a refusal;
 * a child of the head is left out with a warning, unless it is of the dialect. Every method throws
 * `FeedError` for what is not a well-formed feed or passes another limit; the scanner is spent then.
 */
export class FeedScanner {
  readonly #limits: ScanLimits;
  readonly #dialect: Dialect;
  readonly #parser: StrictParser;
  readonly #input: InputText;
  readonly #text: PendingText;
  #format: Format | undefined;
  /** The namespace that the document's own elements have. */
  #namespace = '';
  #rootScope: Scope;
  /** The scope inside `feed`, `channel` or `head`. */
  #headScope: Scope | undefined;
  /** Where the element begins that is the head, or holds it. */
  #headPlace: Position = { line: 1, column: 1 };
  #inHead = false;
  #hadContainer = false;
  #outlines: OutlineScan | undefined;
  readonly #inherited: InheritedScope;
  #child: OpenChild | undefined;
  /** What is being skipped. */
  #oversize: OversizePart | undefined;
  /** The items that have a place, if the dialect orders them. */
  readonly #row = new SiblingRow((item) => this.#add(item));
  #items: Fragment[] = [];
  #itemCount = 0;
  readonly #head: HeadParts;
  readonly #parts: DocumentParts;

  /**
   * @param dialect the markup that tells items apart and that the head is read for
   * @param options `base` is the address of the feed: the `xml:base` in force if the feed itself sets none
   */
  constructor(
    dialect: Dialect,
    options: { readonly limits?: Partial<ScanLimits>; readonly base?: string } = {},
  ) {
    this.#limits = { ...defaultScanLimits, ...options.limits };
    this.#dialect = dialect;
    this.#rootScope = { namespaces: [], ...(options.base !== undefined && { base: options.base }) };
    this.#parser = new StrictParser(
      {
        start: (depth, name, offset) => this.#start(depth, name, offset),
        open: (tag, depth) => this.#open(tag, depth),
        close: (tag, depth) => this.#close(tag, depth),
      },
      this.#limits,
    );
    this.#head = new HeadParts(this.#parser, this.#limits);
    this.#inherited = new InheritedScope(this.#parser, this.#limits);
    this.#input = new InputText(this.#parser);
    this.#text = new PendingText(this.#parser);
    const parts = { parser: this.#parser, text: this.#text, head: this.#head };
    this.#parts = { ...parts, refuse: (item) => this.#put(item) };
  }

  /** Takes the next piece of the feed, of any length; returns the items that it completes. */
  write(text: string): Fragment[] {
    this.#read(this.#input.take(text));
    const items = this.#items;
    this.#items = [];
    return items;
  }

  /** Ends the feed; returns all of it but the items. */
  end(): FeedHead {
    this.#read(this.#input.end());
    this.#oversize?.failAtEnd();
    this.#parser.close();
    if (this.#format === undefined) this.#parser.fail('xml-well-formed', 'XML 1.0', 'There is no element.');
    const scope = this.#headScope ?? this.#rootScope;
    const { children, sync, misplaced, leftOut } = this.#head;
    const { sharing, violations } = this.#dialect.readHead(sync, misplaced);
    return {
      ...readHead({ format: this.#format, children, scope }),
      ...(sharing !== undefined && { sharing }),
      violations: [...violations, ...leftOut],
    };
  }

  /** Where the head stands that `end` returns. */
  get places(): HeadPlaces {
    return { head: this.#headPlace, children: this.#head.places };
  }

  #read(text: string): void {
    for (let rest: string | undefined = text; rest !== undefined;)
      rest = this.#oversize === undefined ? this.#scan(rest) : this.#skip(this.#oversize, rest);
  }

  /** Returns what is to be skipped, and what follows it; undefined if the text is read. */
  #scan(text: string): string | undefined {
    try {
      this.#text.read(text);
      this.#checkItemLength();
      return undefined;
    } catch (error) {
      if (!(error instanceof FeedError) || !isOfOnePart(error)) throw error;
      const child = this.#child;
      const isItem = child !== undefined && this.#isItem(child);
      const isSkipped = child === undefined ? this.#inHead : isItem || !this.#maySayMore(child);
      if (this.#format === undefined || this.#format === 'opml' || !isSkipped) throw error;
      this.#oversize = new OversizePart(this.#parts, error, child, isItem);
      return this.#oversize.beginning;
    }
  }

  /** Returns what follows what is skipped; undefined if that has not ended. */
  #skip(part: OversizePart, text: string): string | undefined {
    const rest = part.read(text, (this.#inHead ? this.#childDepth : 2) - 1);
    if (rest === undefined) return undefined;
    this.#oversize = undefined;
    this.#child = undefined;
    return rest;
  }

  /** How deep the children of `feed`, `channel` or `head` stand. */
  get #childDepth(): number {
    return this.#format === 'atom' ? 2 : 3;
  }

  #isItem(child: OpenChild): boolean {
    const { uri, local } = child.name;
    return (
      this.#inHead &&
      this.#format !== undefined &&
      local === itemName(this.#format) &&
      uri === this.#namespace
    );
  }

  /** Whether a child may be of the dialect, which is not to be left out. */
  #maySayMore({ name, isOpen }: OpenChild): boolean {
    return this.#isOfDialect(name) || (!isOpen && name.local === 'sharing');
  }

  /** The scope in force around a child. */
  get #scope(): Scope {
    return this.#inHead ? (this.#headScope ?? this.#rootScope) : this.#rootScope;
  }

  #start(depth: number, name: string, offset: number): void {
    if (this.#outlines !== undefined) this.#outlines.start(name, offset);
    else if (depth === 1) this.#headPlace = this.#text.position(name, offset);
    else if (depth === (this.#inHead ? this.#childDepth : 2))
      this.#child = new OpenChild(name, { offset, ...this.#text.position(name, offset) }, this.#scope);
  }

  #open(tag: SaxesTagNS, depth: number): void {
    if (this.#outlines !== undefined) this.#outlines.open(tag, depth);
    else if (depth === 1) this.#openRoot(tag);
    else if (depth === 2 && !this.#inHead && tag.uri === this.#namespace) this.#openContainer(tag);
    else if (this.#child !== undefined && depth <= this.#childDepth) this.#child.open(tag);
    else if (depth === this.#childDepth + 1 && this.#child !== undefined && this.#isOfDialect(tag, 'sync'))
      this.#child.id ??= identifierIn(tag);
  }

  #openRoot(tag: SaxesTagNS): void {
    this.#format = readRoot(tag, this.#dialect.documents, this.#parser);
    this.#namespace = tag.uri;
    this.#rootScope = this.#inherited.inside(this.#rootScope, tag);
    if (this.#format === 'opml') this.#parser.limitOutlineDepth(this.#limits.outlineDepth);
    if (this.#format !== 'atom') return;
    this.#hadContainer = true;
    this.#openHead(this.#rootScope);
  }

  /** Takes an element in the root, which may be what holds the items, or the head of an outline. */
  #openContainer(tag: SaxesTagNS): void {
    if (this.#format === 'opml' && tag.local === 'head') {
      if (this.#headScope !== undefined)
        this.#parser.fail('opml-head', 'OPML 1.0', 'An OPML document has one head; this one has more.');
      this.#openHead(this.#inherited.inside(this.#rootScope, tag));
    } else if (tag.local === this.#container.name) {
      this.#checkContainer(!this.#hadContainer, 'more');
      this.#hadContainer = true;
      const scope = this.#inherited.inside(this.#rootScope, tag);
      if (this.#format === 'opml') {
        this.#outlines = new OutlineScan({
          text: this.#text,
          namespace: this.#namespace,
          scope,
          inherited: this.#inherited,
          emit: (item) => this.#add(item),
          misplace: (element) => this.#head.misplace(element),
          isOfDialect: (tag) => this.#isOfDialect(tag),
        });
      } else {
        this.#openHead(scope);
      }
    }
  }

  get #container(): (typeof containers)[Format] {
    return containers[this.#format ?? 'atom'];
  }

  #checkContainer(isRight: boolean, found: 'more' | 'none'): void {
    const { rule, section, sentence } = this.#container;
    if (!isRight) this.#parser.fail(rule, section, `${sentence}; this one has ${found}.`);
  }

  #openHead(scope: Scope): void {
    this.#headPlace = this.#child?.place ?? this.#headPlace;
    this.#child = undefined;
    this.#inHead = true;
    this.#headScope = scope;
    this.#text.cut();
  }

  #close(tag: SaxesTagNS, depth: number): void {
    if (depth === 1) this.#checkContainer(this.#hadContainer, 'none');
    if (this.#outlines !== undefined) this.#closeInBody(this.#outlines, depth);
    else if (this.#inHead && depth < this.#childDepth) this.#closeHead();
    else if (this.#child !== undefined && depth === (this.#inHead ? this.#childDepth : 2))
      this.#finish(this.#child, tag);
  }

  #closeHead(): void {
    this.#inHead = false;
    this.#row.end();
  }

  #closeInBody(outlines: OutlineScan, depth: number): void {
    this.#checkItemLength();
    if (depth > 2) {
      outlines.close(depth, this.#parser.line);
    } else {
      outlines.end();
      this.#outlines = undefined;
    }
  }

  #finish(child: OpenChild, tag: SaxesTagNS): void {
    this.#checkItemLength();
    const raw = this.#text.slice(child.place.offset);
    const whole = child.fragment(this.#inherited.standAlone(raw, this.#scope));
    if (this.#isItem(child)) this.#put(whole);
    else if (this.#inHead)
      this.#head.add({ namespace: tag.uri, name: tag.local, xml: raw }, whole, this.#isOfDialect(tag));
    else if (this.#isOfDialect(tag, 'sharing')) this.#head.misplace(whole);
    this.#child = undefined;
    this.#text.cut();
  }

  #put(item: Fragment): void {
    if (this.#dialect.ordersItems) this.#row.put(item);
    else this.#add(item);
  }

  #add(item: Fragment): void {
    this.#itemCount += 1;
    if (this.#itemCount > this.#limits.items)
      this.#parser.fail(
        'limit-items',
        'limits',
        `The feed has more than ${this.#limits.items} items (limit "items").`,
      );
    this.#items.push(item);
  }

  /** Whether an element is of the dialect's namespace, and has this name if one is given. */
  #isOfDialect({ uri, local }: ExpandedName, name = local): boolean {
    return local === name && this.#dialect.namespaces.includes(uri);
  }

  #checkItemLength(): void {
    const { openLength, waitingLength } = this.#outlines ?? { openLength: 0, waitingLength: 0 };
    this.#inherited.checkLength(
      waitingLength,
      'Outlines that wait for an sx:sync around them, or for the next outline, are together',
    );
    this.#inherited.checkLength(
      this.#text.length + openLength,
      openLength === 0 ? 'One item is' : 'Outlines that have not ended are together',
    );
  }
}
