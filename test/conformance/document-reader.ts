import { FeedScanner } from '#xml';
import type { Dialect, FeedHead, Fragment, ParseResult, Payload } from '#xml';
import type { CaseDocuments } from './case-file/case-documents.ts';

/** A feed or an outline of a case, in document order. */
export interface CaseDocument<Item> {
  readonly head: FeedHead;
  /** The items with `sx:sync`. */
  readonly items: readonly Item[];
  /** The contents of those without. */
  readonly plain: readonly Payload[];
}

/**
 * Reads the documents of cases in one dialect. Every method throws FeedError, or an error with the violations
 * if an item is rejected.
 */
export class DocumentReader<Item> {
  readonly #dialect: Dialect;
  readonly #read: (fragment: Fragment) => ParseResult<Item>;

  constructor(dialect: Dialect, read: (fragment: Fragment) => ParseResult<Item>) {
    this.#dialect = dialect;
    this.#read = read;
  }

  text(text: string): CaseDocument<Item> {
    const scanner = new FeedScanner(this.#dialect);
    const items: Item[] = [];
    const plain: Payload[] = [];
    for (const fragment of scanner.write(text)) {
      const reading = this.#read(fragment);
      if (reading.kind === 'rejected') throw new Error(JSON.stringify(reading.violations));
      if (reading.kind === 'plain') plain.push(reading.payload);
      else items.push(reading.item);
    }
    return { head: scanner.end(), items, plain };
  }

  named(documents: CaseDocuments, name: string): CaseDocument<Item> {
    return this.text(documents.text(name));
  }

  /** `incoming.xml`, `incoming-2.xml` … of a case, in the order in which they stand in it. */
  incoming(documents: CaseDocuments): CaseDocument<Item>[] {
    return documents.names
      .filter((name) => /^incoming(?:-\d+)?\.xml$/.test(name))
      .map((name) => this.named(documents, name));
  }
}
