import type { FeedError } from './feed-error.ts';
import type { Fragment } from './fragment.ts';
import type { HeadParts } from './head-parts.ts';
import type { OpenChild } from './open-child.ts';
import type { PendingText } from './pending-text.ts';
import { SkippedElement } from './skipped-element.ts';
import type { StrictParser } from './strict-parser.ts';

/** The limits that cost the item or the child of the head that passes them, not the feed. */
const limitsOfOne: ReadonlySet<string> = new Set([
  'limit-depth',
  'limit-attributes',
  'limit-item-length',
  'limit-inherited-length',
]);

/** Whether an error is about one part of a document, which the rest can be read without. */
export function isOfOnePart({ violation }: FeedError): boolean {
  return limitsOfOne.has(violation.rule);
}

/** What reads a document. */
export interface DocumentParts {
  readonly parser: StrictParser;
  readonly text: PendingText;
  readonly head: HeadParts;
  /** Takes the refusal of an item. */
  readonly refuse: (item: Fragment) => void;
}

/** An item, or something beside the items, that passes a limit: it is skipped while it arrives. */
export class OversizePart {
  readonly #document: DocumentParts;
  readonly #element: SkippedElement;
  readonly #report: () => void;
  /** What has arrived of it, and what stands behind that. */
  readonly beginning: string;

  /**
   * @param child absent if it is what stands before the next child
   * @param isItem whether that is an item
   */
  constructor(document: DocumentParts, { violation }: FeedError, child?: OpenChild, isItem = false) {
    const { text, head, refuse } = document;
    const place = child?.place ?? text.cutPlace;
    this.#document = document;
    this.beginning = text.rest(place.offset);
    // A child of which not even the name has been read is one all the same.
    const isBetween = child === undefined && !/^<[^!?]/.test(this.beginning);
    const element = new SkippedElement(place, isBetween);
    this.#element = element;
    this.#report = () => {
      if (child !== undefined && isItem)
        refuse({ ...child.fragment(''), refusal: { violation, digest: element.digest() } });
      else if (!isBetween) head.leaveOut(violation);
    };
  }

  /**
   * Takes the next piece; returns what stands behind the part, where the document is read on, and undefined
   * if it has not ended.
   * @param depth how many elements it stands in
   */
  read(piece: string, depth: number): string | undefined {
    const rest = this.#element.read(piece);
    if (rest === undefined) return undefined;
    const { parser, text } = this.#document;
    parser.restart(depth, this.#element.end);
    text.restart(this.#element.end);
    this.#report();
    return rest;
  }

  /** Throws the error for a document that ends in it. */
  failAtEnd(): never {
    this.#element.failAtEnd();
  }
}
