import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FeedScanner, readSseItem } from '#feed-xml';
import type { FeedHead, Payload } from '#feed-xml';
import type { Item } from '#sse';

/** A feed or an outline of a case, in document order. */
export interface SseDocument {
  readonly head: FeedHead;
  /** The items with `sx:sync`. */
  readonly items: readonly Item<Payload>[];
  /** The contents of those without. */
  readonly plain: readonly Payload[];
}

/** Reads one document of a case. Throws FeedError, or an error with the breaches where an item is rejected. */
export function readDocumentFile(folder: string, file: string): SseDocument {
  return readDocument(readFileSync(join(folder, file), 'utf8'));
}

/** The documents `incoming.xml`, `incoming-2.xml` … of a case. */
export function readIncomingDocuments(folder: string): SseDocument[] {
  const documents = [readDocumentFile(folder, 'incoming.xml')];
  for (let number = 2; existsSync(join(folder, `incoming-${number}.xml`)); number += 1) documents.push(readDocumentFile(folder, `incoming-${number}.xml`));
  return documents;
}

export function readDocument(text: string): SseDocument {
  const scanner = new FeedScanner({ dialect: 'sse' });
  const items: Item<Payload>[] = [];
  const plain: Payload[] = [];
  for (const fragment of scanner.write(text)) {
    const reading = readSseItem(fragment);
    if (reading.kind === 'rejected') throw new Error(JSON.stringify(reading.breaches));
    if (reading.kind === 'plain') plain.push(reading.payload);
    else items.push(reading.item);
  }
  return { head: scanner.end(), items, plain };
}
