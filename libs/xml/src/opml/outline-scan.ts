import type { SaxesTagNS } from 'saxes';
import type { Fragment } from '../fragment.ts';
import type { InheritedScope } from '../inherited-scope.ts';
import type { Scope } from '../payload.ts';
import { identifierIn } from '../identifier.ts';
import type { PendingText } from '../pending-text.ts';
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
 * Cuts the body of an OPML document into its outlines, of any depth, each without the outlines in it. It
 * holds the open outlines' own texts, and those that wait for the `sx:sync` of an outline around them or for
 * the outline after them.
 */
export class OutlineScan {
  readonly #text: PendingText;
  readonly #emit: (fragment: Fragment) => void;
  readonly #namespace: string;
  readonly #scope: Scope;
  readonly #inherited: InheritedScope;
  readonly #root: OutlinePlace;
  readonly #open: OpenOutline[] = [];
  /** How deep the element stands that is not looked into; 0 if there is none. */
  #closedDepth = 0;
  readonly #misplace: (fragment: Fragment) => void;
  readonly #isOfDialect: (tag: SaxesTagNS) => boolean;
  /** Where the element stands, directly in the body, that is of the dialect. */
  #misplaced: TagStart | undefined;
  #start: TagStart = { offset: 0, line: 1, column: 1 };
  /** The line of the last cut. */
  #cutLine = 1;
  #openLength = 0;
  #waitingCount = 0;
  #waitingLength = 0;

  /**
   * @param options `namespace` is that of the document's own elements, `scope` the one inside the body;
   *   `emit` takes each outline with its place, mostly those in an outline before it itself, and `misplace`
   *   each element of the dialect that stands in the body itself
   */
  constructor(options: {
    readonly text: PendingText;
    readonly namespace: string;
    readonly scope: Scope;
    readonly inherited: InheritedScope;
    readonly emit: (fragment: Fragment) => void;
    readonly misplace: (fragment: Fragment) => void;
    readonly isOfDialect: (tag: SaxesTagNS) => boolean;
  }) {
    this.#text = options.text;
    this.#emit = (fragment) => {
      this.#count(fragment, -1);
      options.emit(fragment);
    };
    this.#misplace = options.misplace;
    this.#isOfDialect = options.isOfDialect;
    this.#namespace = options.namespace;
    this.#scope = options.scope;
    this.#inherited = options.inherited;
    this.#root = new OutlinePlace(this.#emit);
  }

  /** How much has been cut off of the outlines that have not ended, in UTF-16 code units. */
  get openLength(): number {
    return this.#openLength;
  }

  /**
   * How long the outlines are together that have ended and wait, in UTF-16 code units; 0 for a single one.
   */
  get waitingLength(): number {
    return this.#waitingCount > 1 ? this.#waitingLength : 0;
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
    if (!this.#isOfDialect(tag)) return;
    if (outline === undefined) this.#misplaced = this.#start;
    else if (tag.local === 'sync') outline.place.identify(identifierIn(tag));
  }

  #openOutline(tag: SaxesTagNS, around: OpenOutline | undefined): void {
    const start = this.#start;
    if (around !== undefined) this.#keep(around, this.#text.slice(undefined, start.offset).trimEnd());
    this.#cut(start.line, start);
    const outer = around?.inner ?? this.#scope;
    const place = new OutlinePlace(this.#emit, around?.place ?? this.#root);
    this.#open.push({
      start,
      outer,
      inner: this.#inherited.inside(outer, tag),
      place,
      text: '',
      line: start.line,
    });
  }

  /** @param line that of what comes next */
  close(depth: number, line: number): void {
    if (this.#closedDepth > 0) {
      if (depth !== this.#closedDepth) return;
      this.#closedDepth = 0;
      if (this.#open.length === 0) this.#closeInBody(line);
      return;
    }
    const outline = this.#open.pop();
    if (outline === undefined) return;
    this.#openLength -= outline.text.length;
    const rest = this.#text.slice();
    // An outline is not another one because those in it have changed: white space between them and its end
    // tag is no part of it.
    const xml =
      outline.text !== '' && rest.trimStart().startsWith('</')
        ? outline.text + rest.trimStart()
        : outline.text + this.#joined(outline, rest);
    this.#cut(line);
    outline.place.end();
    const {
      start,
      place: { id },
    } = outline;
    const fragment: Fragment = {
      xml: this.#inherited.standAlone(xml, outline.outer),
      line: start.line,
      column: start.column,
      ...(id !== undefined && { id }),
    };
    this.#count(fragment, 1);
    (this.#open.at(-1)?.place ?? this.#root).put(fragment);
  }

  #closeInBody(line: number): void {
    if (this.#misplaced !== undefined) {
      const { offset, line: startLine, column } = this.#misplaced;
      this.#misplace({
        xml: this.#inherited.standAlone(this.#text.slice(offset), this.#scope),
        line: startLine,
        column,
      });
      this.#misplaced = undefined;
    }
    this.#cut(line);
  }

  /** Ends the body. */
  end(): void {
    this.#root.end();
  }

  #count({ xml }: Fragment, sign: 1 | -1): void {
    this.#waitingCount += sign;
    this.#waitingLength += sign * xml.length;
  }

  /** Adds what stands after the last cut to an outline's own text. */
  #keep(outline: OpenOutline, text: string): void {
    if (text === '') return;
    const joined = this.#joined(outline, text);
    outline.text += joined;
    this.#openLength += joined.length;
    outline.line = this.#cutLine + text.split('\n').length - 1;
  }

  /**
   * What stands after the last cut as it follows an outline's own text; line breaks stand for what is left
   * out before it.
   */
  #joined({ line }: OpenOutline, text: string): string {
    return '\n'.repeat(this.#cutLine - line) + text;
  }

  #cut(line: number, start?: TagStart): void {
    this.#text.cut(start?.offset);
    this.#cutLine = line;
  }
}
