import type { Violation } from './violation.ts';

/**
 * One item cut out of a feed: an XML text that is well-formed on its own. The namespace bindings, `xml:base`
 * and `xml:lang` that were in force where it stood are declared on its root element. Its first line holds the
 * name of the root element and what was declared so, and nothing else: from the second line on, all stands as
 * it did in the feed.
 */
export interface Fragment {
  readonly xml: string;
  /** Where the item began in its feed, from 1. Columns count UTF-16 code units. */
  readonly line: number;
  readonly column: number;
  /**
   * The identifier in its `sx:sync` (or its `guid` if the dialect says so), as written; absent if there
   * is none.
   */
  readonly id?: string;
  /** Where it stands among the items of its feed; absent in an unordered one. */
  readonly place?: Place;
  /** That its synchronisation data was given to it where it was fetched: an item of a plain feed. */
  readonly adopted?: true;
  /** That it passes a limit, for which it was not cut out: `xml` is empty then. */
  readonly refusal?: Refusal;
}

/** Why an item was not cut out of its feed. */
export interface Refusal {
  readonly violation: Violation;
  /** SHA-256 of the item as it stands in the feed, base64url. */
  readonly digest: string;
}

/**
 * The place of an item as the document shows it: ids of items, as written. Items without synchronisation data
 * don't count.
 */
export interface Place {
  /** The item that it stands in; absent below the root. */
  readonly parent?: string;
  /** The item that stands before it below the same parent; empty for the first. */
  readonly after: string;
  /** The item that stands after it below the same parent; absent for the last. */
  readonly before?: string;
}

/** A place in a text, from 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** The place in the feed that a place in a fragment's text stands for. */
export function positionInFeed(fragment: Fragment, { line, column }: Position): Position {
  if (line === 1) return { line: fragment.line, column: fragment.column };
  if (line > 2) return { line: fragment.line + line - 2, column };
  const name = /^<[^\s/>]*/.exec(fragment.xml)?.[0] ?? '';
  return { line: fragment.line, column: fragment.column + name.length + column - 1 };
}

/** The place of an offset in a text. */
export function positionAt(text: string, offset: number): Position {
  const before = text.slice(0, offset);
  return { line: before.split('\n').length, column: offset - before.lastIndexOf('\n') };
}
