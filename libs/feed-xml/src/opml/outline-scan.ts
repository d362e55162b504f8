import type { SaxesTagNS } from 'saxes';
import type { Fragment } from '../fragment.ts';
import type { Scope } from '../payload.ts';
import type { PendingText } from '../pending-text.ts';
import { scopeInside } from '../scope.ts';
import { declareOn } from '../start-tag.ts';
import { isSseNamespace } from '../tree.ts';
import { OutlinePlace } from './outline-place.ts';

/** An outline whose end has not been read. */
interface OpenOutline {
  readonly start: TagStart;
  /** In force around it, and inside it. */
  readonly outer: Scope;
  readonly inner: Scope;
  readonly place: OutlinePlace;
  /** What has been cut off of it: without the outlines in it, and without white space before them. */
  text: string;
  /** The line that `text` ends in. */
  line: number;
}

/** Where a start tag begins. */
interface TagStart {
  readonly offset: number;
  readonly line: number;
  readonly column: number;
}

/**
 * Cuts the body of an OPML document into its outlines, of any depth, each without the outlines in it. It holds the open outlines'
 * own texts, and those that wait for the `sx:sync` of an outline around them.
 */
export class OutlineScan {
  readonly #text: PendingText;
  readonly #emit: (fragment: Fragment) => void;
  readonly #namespace: string;
  readonly #scope: Scope;
  readonly #root: OutlinePlace;
  readonly #open: OpenOutline[] = [];
  /** How deep the element stands that is not looked into; 0 where there is none. */
  #closedDepth = 0;
  #start: TagStart = { offset: 0, line: 1, column: 1 };
  /** The line of the last cut. */
  #cutLine = 1;

  /**
   * @param options `namespace` is that of the document's own elements, `scope` the one inside the body; `emit` takes each outline
   * with its place, mostly those in an outline before it itself.
   */
  constructor(options: { readonly text: PendingText; readonly namespace: string; readonly scope: Scope; readonly emit: (fragment: Fragment) => void }) {
    this.#text = options.text;
    this.#emit = options.emit;
    this.#namespace = options.namespace;
    this.#scope = options.scope;
    this.#root = new OutlinePlace(options.emit);
  }

  /** How much is held beside the pending text, in UTF-16 code units. */
  get heldLength(): number {
    return this.#open.reduce((length, { text, place }) => length + text.length + place.waitingLength, 0);
  }

  start(name: string, offset: number): void {
    if (this.#closedDepth === 0) this.#start = { offset, ...this.#text.position(name, offset) };
  }

  open(tag: SaxesTagNS, depth: number): void {
    if (this.#closedDepth > 0) return;
    const outline = this.#open.at(-1);
    if (tag.local === 'outline' && tag.uri === this.#namespace) {
      this.#openOutline(tag, outline);
      return;
    }
    this.#closedDepth = depth;
    if (tag.local === 'sync' && isSseNamespace(tag.uri)) outline?.place.identify(tag.attributes['id']?.value);
  }

  #openOutline(tag: SaxesTagNS, around: OpenOutline | undefined): void {
    const start = this.#start;
    if (around !== undefined) this.#keep(around, this.#text.slice(undefined, start.offset).trimEnd());
    this.#cut(start.line, start);
    const outer = around?.inner ?? this.#scope;
    const place = new OutlinePlace(this.#emit, around?.place ?? this.#root);
    this.#open.push({ start, outer, inner: scopeInside(outer, tag), place, text: '', line: start.line });
  }

  /** @param line that of what comes next */
  close(depth: number, line: number): void {
    if (this.#closedDepth > 0) {
      if (depth !== this.#closedDepth) return;
      this.#closedDepth = 0;
      if (this.#open.length === 0) this.#cut(line);
      return;
    }
    const outline = this.#open.pop();
    if (outline === undefined) return;
    const rest = this.#text.slice();
    // An outline is not another one because those in it have changed: white space between them and its end tag is no part of it.
    if (outline.text !== '' && rest.trimStart().startsWith('</')) outline.text += rest.trimStart();
    else this.#keep(outline, rest);
    this.#cut(line);
    outline.place.end();
    const { start, place: { id } } = outline;
    const around = this.#open.at(-1)?.place ?? this.#root;
    around.put({ xml: declareOn(outline.text, outline.outer, '\n'), line: start.line, column: start.column, ...(id !== undefined && { id }) });
  }

  /** Adds what stands after the last cut to an outline's own text; line breaks stand for what is left out before it. */
  #keep(outline: OpenOutline, text: string): void {
    if (text === '') return;
    outline.text += '\n'.repeat(this.#cutLine - outline.line) + text;
    outline.line = this.#cutLine + text.split('\n').length - 1;
  }

  #cut(line: number, start?: TagStart): void {
    this.#text.cut(start?.offset, start?.column);
    this.#cutLine = line;
  }
}
