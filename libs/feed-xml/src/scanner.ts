import type { SaxesTagNS } from 'saxes';
import type { FeedHead } from './feed.ts';
import type { Fragment } from './fragment.ts';
import { readHead } from './head.ts';
import { InputText } from './input-text.ts';
import { atomNamespace, itemName, syncNamespace } from './namespace.ts';
import type { Child, Format, Scope } from './payload.ts';
import { scopeInside } from './scope.ts';
import { declareOn } from './start-tag.ts';
import { defaultXmlLimits, StrictParser } from './strict-parser.ts';
import type { XmlLimits } from './strict-parser.ts';

/** What keeps one feed from using up the machine; every error names the limit that was passed. */
export interface ScanLimits extends XmlLimits {
  /** How long one item, or one child of the head, may be with what stands before it, in UTF-16 code units (default 4194304). */
  readonly itemLength: number;
  /** How long the children of the head may be together, in UTF-16 code units (default 1048576). */
  readonly headLength: number;
  /** How many items a feed may have (default 1000000). */
  readonly items: number;
}

export const defaultScanLimits: ScanLimits = { ...defaultXmlLimits, itemLength: 4_194_304, headLength: 1_048_576, items: 1_000_000 };

/** A child of `feed` or `channel` that is being read. */
interface OpenChild {
  readonly offset: number;
  readonly line: number;
  readonly column: number;
  id?: string;
}

/**
 * Cuts a feed, Atom 1.0 or RSS 2.0, into its items while it arrives, and holds no more than the current item and the head.
 * Every method throws `FeedError` for what is not a well-formed feed or passes a limit; the scanner is spent then.
 */
export class FeedScanner {
  readonly #limits: ScanLimits;
  readonly #parser: StrictParser;
  readonly #input: InputText;
  #format: Format | undefined;
  /** The namespace that the feed's own elements have. */
  #namespace = '';
  /** The scope inside the root, then inside `channel`. */
  #scope: Scope;
  #inContainer = false;
  #hadContainer = false;
  #child: OpenChild | undefined;
  /** The text from the end of the last child on, and where that stands in the feed. */
  #pending = '';
  #pendingOffset = 0;
  #keptOffset = 0;
  #keptColumn = 1;
  #items: Fragment[] = [];
  #itemCount = 0;
  #headLength = 0;
  readonly #head: Child[] = [];
  /** The children of the head that are FeedSync's. */
  readonly #sync: Fragment[] = [];

  /** @param options `base` is the address of the feed: the `xml:base` in force where the feed itself sets none. */
  constructor(options: { readonly limits?: Partial<ScanLimits>; readonly base?: string } = {}) {
    this.#limits = { ...defaultScanLimits, ...options.limits };
    this.#scope = { namespaces: [], ...(options.base !== undefined && { base: options.base }) };
    this.#parser = new StrictParser({
      start: (depth, name, offset) => this.#start(depth, name, offset),
      open: (tag, depth) => this.#open(tag, depth),
      close: (tag, depth) => this.#close(tag, depth),
    }, this.#limits);
    this.#input = new InputText(this.#parser);
  }

  /** Takes the next piece of the feed, of any length; answers the items that it completes. */
  write(text: string): Fragment[] {
    this.#read(this.#input.take(text));
    const items = this.#items;
    this.#items = [];
    return items;
  }

  /** Ends the feed; answers all of it but the items. */
  end(): FeedHead {
    this.#read(this.#input.end());
    this.#parser.close();
    if (this.#format === undefined) this.#parser.fail('xml-well-formed', 'XML 1.0', 'There is no element.');
    return readHead(this.#format, this.#head, this.#scope, this.#sync);
  }

  #read(text: string): void {
    this.#pending += text;
    this.#parser.write(text);
    this.#checkItemLength();
    if (this.#keptOffset > this.#pendingOffset) {
      this.#pending = this.#pending.slice(this.#keptOffset - this.#pendingOffset);
      this.#pendingOffset = this.#keptOffset;
    }
  }

  /** How deep the children of `feed` or `channel` stand. */
  get #childDepth(): number {
    return this.#format === 'atom' ? 2 : 3;
  }

  #start(depth: number, name: string, offset: number): void {
    if (this.#inContainer && depth === this.#childDepth) this.#child = { offset, ...this.#position(name, offset) };
  }

  /** Where a tag begins whose name has just been read. */
  #position(name: string, offset: number): { line: number; column: number } {
    const index = offset - this.#pendingOffset;
    const isNameAtLineEnd = this.#pending.charCodeAt(index + name.length + 1) === 0x0a;
    const before = this.#pending.slice(this.#keptOffset - this.#pendingOffset, index);
    const lineBreak = before.lastIndexOf('\n');
    const column = lineBreak < 0 ? this.#keptColumn + before.length : before.length - lineBreak;
    return { line: this.#parser.line - (isNameAtLineEnd ? 1 : 0), column };
  }

  #open(tag: SaxesTagNS, depth: number): void {
    const child = this.#child;
    if (child !== undefined) {
      if (depth === this.#childDepth + 1 && tag.uri === syncNamespace && tag.local === 'sync') child.id ??= tag.attributes['id']?.value;
      return;
    }
    if (depth === 1) this.#openRoot(tag);
    else if (depth === 2 && this.#format === 'rss' && tag.local === 'channel' && tag.uri === this.#namespace) this.#openContainer(tag);
  }

  #openRoot(tag: SaxesTagNS): void {
    this.#namespace = tag.uri;
    if (tag.local === 'feed' && tag.uri === atomNamespace) {
      this.#format = 'atom';
      this.#openContainer(tag);
    } else if (tag.local === 'rss') {
      this.#format = 'rss';
      this.#scope = scopeInside(this.#scope, tag);
    } else {
      this.#parser.fail('feed-root', 'RFC 4287 4.1.1, RSS 2.0', `The root is ${describe(tag)}; a feed has an Atom feed or an rss element.`);
    }
  }

  #openContainer(tag: SaxesTagNS): void {
    if (this.#hadContainer) this.#parser.fail('rss-channel', 'RSS 2.0', 'An RSS feed has one channel; this one has more.');
    this.#hadContainer = true;
    this.#inContainer = true;
    this.#scope = scopeInside(this.#scope, tag);
    this.#keep();
  }

  #close(tag: SaxesTagNS, depth: number): void {
    if (depth === 1 && !this.#hadContainer) this.#parser.fail('rss-channel', 'RSS 2.0', 'An RSS feed has a channel; this one has none.');
    if (!this.#inContainer || depth > this.#childDepth) return;
    if (depth < this.#childDepth) this.#inContainer = false;
    else if (this.#child !== undefined) this.#finish(this.#child, tag);
  }

  #finish(child: OpenChild, tag: SaxesTagNS): void {
    this.#checkItemLength();
    const raw = this.#pending.slice(child.offset - this.#pendingOffset, this.#parser.offset - this.#pendingOffset);
    const { line, column } = child;
    if (this.#format !== undefined && tag.local === itemName(this.#format) && tag.uri === this.#namespace) {
      this.#itemCount += 1;
      if (this.#itemCount > this.#limits.items) this.#parser.fail('limit-items', 'limits', `The feed has more than ${this.#limits.items} items (limit "items").`);
      this.#items.push({ xml: declareOn(raw, this.#scope, '\n'), line, column, ...(child.id !== undefined && { id: child.id }) });
    } else {
      this.#headLength += raw.length;
      if (this.#headLength > this.#limits.headLength) this.#parser.fail('limit-head-length', 'limits', `What is not an item is longer than ${this.#limits.headLength} (limit "headLength").`);
      if (tag.uri !== syncNamespace || tag.local !== 'sharing') this.#head.push({ namespace: tag.uri, name: tag.local, xml: raw });
      if (tag.uri === syncNamespace) this.#sync.push({ xml: declareOn(raw, this.#scope, '\n'), line, column });
    }
    this.#child = undefined;
    this.#keep();
  }

  #keep(): void {
    this.#keptOffset = this.#parser.offset;
    this.#keptColumn = this.#parser.column;
  }

  #checkItemLength(): void {
    if (this.#parser.offset - this.#keptOffset > this.#limits.itemLength) {
      this.#parser.fail('limit-item-length', 'limits', `One item is longer than ${this.#limits.itemLength} (limit "itemLength").`);
    }
  }
}

function describe(tag: SaxesTagNS): string {
  const namespace = tag.uri === '' ? 'no namespace' : JSON.stringify(tag.uri.slice(0, 100));
  return `${JSON.stringify(tag.local.slice(0, 100))} in ${namespace}`;
}
