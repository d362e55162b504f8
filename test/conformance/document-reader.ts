import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FeedScanner } from '#feed-xml';
import type { Violation, Dialect, FeedHead, Fragment, Payload } from '#feed-xml';

/** A feed or an outline of a case, in document order. */
export interface CaseDocument<Item> {
  readonly head: FeedHead;
  /** The items with `sx:sync`. */
  readonly items: readonly Item[];
  /** The contents of those without. */
  readonly plain: readonly Payload[];
}

type ItemReading<Item> =
  | { readonly kind: 'item'; readonly item: Item }
  | { readonly kind: 'plain'; readonly payload: Payload }
  | { readonly kind: 'rejected'; readonly violations: readonly Violation[] };

/**
 * Reads the documents of cases in one dialect. Every method throws FeedError, or an error with the violations
 * where an item is rejected.
 */
export class DocumentReader<Item> {
  readonly #dialect: Dialect;
  readonly #read: (fragment: Fragment) => ItemReading<Item>;

  constructor(dialect: Dialect, read: (fragment: Fragment) => ItemReading<Item>) {
    this.#dialect = dialect;
    this.#read = read;
  }

  text(text: string): CaseDocument<Item> {
    const scanner = new FeedScanner({ dialect: this.#dialect });
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

  file(folder: string, name: string): CaseDocument<Item> {
    return this.text(readFileSync(join(folder, name), 'utf8'));
  }

  /** `incoming.xml`, `incoming-2.xml` … of a case. */
  incoming(folder: string): CaseDocument<Item>[] {
    const documents = [this.file(folder, 'incoming.xml')];
    for (let number = 2; existsSync(join(folder, `incoming-${number}.xml`)); number += 1)
      documents.push(this.file(folder, `incoming-${number}.xml`));
    return documents;
  }
}
