import type { SaxesTagNS } from 'saxes';
import { containers, readRoot } from './feed-root.ts';
import type { FeedHead } from './feed.ts';
import type { Fragment } from './fragment.ts';
import { HeadParts } from './head-parts.ts';
import { readHead } from './head.ts';
import { identifierIn } from './identifier.ts';
import { InputText } from './input-text.ts';
import { itemName } from './namespace.ts';
import { scopeLength, usedScope } from './needed-scope.ts';
import type { Dialect } from './dialect.ts';
import { OutlineScan } from './opml/outline-scan.ts';
import type { Format, Scope } from './payload.ts';
import { PendingText } from './pending-text.ts';
import { defaultScanLimits } from './scan-limits.ts';
import type { ScanLimits } from './scan-limits.ts';
import { scopeInside } from './scope.ts';
import { SiblingRow } from './sibling-row.ts';
import { declareOn } from './start-tag.ts';
import { StrictParser } from './strict-parser.ts';

/** A child of `feed`, `channel` or `head`, or one beside these, that is being read. */
interface OpenChild {
  readonly offset: number;
  readonly line: number;
  readonly column: number;
  id?: string;
}

/**
 * Cuts a document into its items while it arrives, and holds no more than the current item and the head: Atom
 * 1.0, RSS 2.0 or OPML, as far as the dialect has them. Outlines are cut out one by one at any depth, those
 * in an outline before it. Every method throws `FeedError` for what is not a well-formed feed or passes a
 * limit; the scanner is spent then.
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
  #inHead = false;
  #hadContainer = false;
  #outlines: OutlineScan | undefined;
  #child: OpenChild | undefined;
  /** The items that have a place, if the dialect orders them. */
  readonly #row = new SiblingRow((item) => this.#add(item));
  #items: Fragment[] = [];
  #itemCount = 0;
  readonly #head: HeadParts;

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
    this.#input = new InputText(this.#parser);
    this.#text = new PendingText(this.#parser);
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
    this.#parser.close();
    if (this.#format === undefined) this.#parser.fail('xml-well-formed', 'XML 1.0', 'There is no element.');
    const scope = this.#headScope ?? this.#rootScope;
    const { children, sync, misplaced } = this.#head;
    const { sharing, violations } = this.#dialect.readHead(sync, misplaced);
    return {
      ...readHead({ format: this.#format, children, scope }),
      ...(sharing !== undefined && { sharing }),
      violations,
    };
  }

  #read(text: string): void {
    this.#text.read(text);
    this.#checkItemLength();
  }

  /** How deep the children of `feed`, `channel` or `head` stand. */
  get #childDepth(): number {
    return this.#format === 'atom' ? 2 : 3;
  }

  #start(depth: number, name: string, offset: number): void {
    if (this.#outlines !== undefined) this.#outlines.start(name, offset);
    else if (depth === (this.#inHead ? this.#childDepth : 2))
      this.#child = { offset, ...this.#text.position(name, offset) };
  }

  #open(tag: SaxesTagNS, depth: number): void {
    if (this.#outlines !== undefined) this.#outlines.open(tag, depth);
    else if (depth === 1) this.#openRoot(tag);
    else if (depth === 2 && !this.#inHead && tag.uri === this.#namespace) this.#openContainer(tag);
    else if (depth === this.#childDepth + 1 && this.#child !== undefined && this.#isOfDialect(tag, 'sync'))
      this.#child.id ??= identifierIn(tag);
  }

  #openRoot(tag: SaxesTagNS): void {
    this.#format = readRoot(tag, this.#dialect.documents, this.#parser);
    this.#namespace = tag.uri;
    this.#rootScope = this.#scopeInside(this.#rootScope, tag);
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
      this.#openHead(this.#scopeInside(this.#rootScope, tag));
    } else if (tag.local === this.#container.name) {
      this.#checkContainer(!this.#hadContainer, 'more');
      this.#hadContainer = true;
      const scope = this.#scopeInside(this.#rootScope, tag);
      if (this.#format === 'opml') {
        const [emit, misplace] = [
          (item: Fragment) => this.#add(item),
          (element: Fragment) => this.#head.misplace(element),
        ];
        const scopeInside = (outer: Scope, tag: SaxesTagNS) => this.#scopeInside(outer, tag);
        const standAlone = (xml: string, outer: Scope) => this.#standAlone(xml, outer);
        this.#outlines = new OutlineScan({
          text: this.#text,
          namespace: this.#namespace,
          scope,
          scopeInside,
          standAlone,
          emit,
          misplace,
          isOfDialect: (tag) => this.#isOfDialect(tag),
        });
      } else {
        this.#openHead(scope);
      }
    }
  }

  /** The scope inside an element, of which each item is to carry on its root what it uses. */
  #scopeInside(outer: Scope, tag: SaxesTagNS): Scope {
    const scope = scopeInside(outer, tag);
    const { attributes } = this.#limits;
    if (scope.namespaces.length > attributes)
      this.#parser.fail(
        'limit-attributes',
        'limits',
        `More than ${attributes} namespace declarations are in force (limit "attributes").`,
      );
    this.#checkInherited({ ...scope, namespaces: [] });
    return scope;
  }

  /** A slice of one element with what it uses of the scope around it declared on it. */
  #standAlone(xml: string, scope: Scope): string {
    const used = usedScope([xml], scope);
    this.#checkInherited(used);
    const declared = declareOn(xml, used, '\n');
    this.#checkLength(declared.length, 'One item is, with what it inherits,');
    return declared;
  }

  #checkInherited(scope: Scope): void {
    const { inheritedLength } = this.#limits;
    if (scopeLength(scope) <= inheritedLength) return;
    const message =
      'The namespaces, xml:base and xml:lang that an item inherits are together longer than ' +
      `${inheritedLength} (limit "inheritedLength").`;
    this.#parser.fail('limit-inherited-length', 'limits', message);
  }

  get #container(): (typeof containers)[Format] {
    return containers[this.#format ?? 'atom'];
  }

  #checkContainer(isRight: boolean, found: 'more' | 'none'): void {
    const { rule, section, sentence } = this.#container;
    if (!isRight) this.#parser.fail(rule, section, `${sentence}; this one has ${found}.`);
  }

  #openHead(scope: Scope): void {
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
    const raw = this.#text.slice(child.offset);
    if (!this.#inHead) {
      if (this.#isOfDialect(tag, 'sharing')) this.#head.misplace(this.#fragment(raw, child));
    } else if (
      this.#format !== undefined &&
      tag.local === itemName(this.#format) &&
      tag.uri === this.#namespace
    ) {
      const item = this.#fragment(raw, child);
      if (this.#dialect.ordersItems) this.#row.put(item);
      else this.#add(item);
    } else {
      const whole = this.#fragment(raw, child);
      this.#head.add({ namespace: tag.uri, name: tag.local, xml: raw }, whole, this.#isOfDialect(tag));
    }
    this.#child = undefined;
    this.#text.cut();
  }

  #fragment(raw: string, { line, column, id }: OpenChild): Fragment {
    const scope = this.#inHead ? (this.#headScope ?? this.#rootScope) : this.#rootScope;
    return { xml: this.#standAlone(raw, scope), line, column, ...(id !== undefined && { id }) };
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
  #isOfDialect({ uri, local }: SaxesTagNS, name = local): boolean {
    return local === name && this.#dialect.namespaces.includes(uri);
  }

  #checkItemLength(): void {
    const { openLength, waitingLength } = this.#outlines ?? { openLength: 0, waitingLength: 0 };
    this.#checkLength(
      waitingLength,
      'Outlines that wait for an sx:sync around them, or for the next outline, are together',
    );
    this.#checkLength(
      this.#text.length + openLength,
      openLength === 0 ? 'One item is' : 'Outlines that have not ended are together',
    );
  }

  #checkLength(length: number, what: string): void {
    const { itemLength } = this.#limits;
    if (length > itemLength)
      this.#parser.fail(
        'limit-item-length',
        'limits',
        `${what} longer than ${itemLength} (limit "itemLength").`,
      );
  }
}
