import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FeedScanner, readItem } from '#feed-xml';
import type { FeedHead, Payload } from '#feed-xml';
import type { Item } from '#feedsync';

/** A feed of a case, in document order. */
export interface FeedFile {
  readonly head: FeedHead;
  /** The items with `sx:sync`. */
  readonly items: readonly Item<Payload>[];
  /** The contents of those without. */
  readonly plain: readonly Payload[];
}

/** Reads one feed of a case. Throws FeedError, or an error with the breaches where an item is rejected. */
export function readFeedFile(folder: string, file: string): FeedFile {
  return readFeedText(readFileSync(join(folder, file), 'utf8'));
}

/** The feeds `incoming.xml`, `incoming-2.xml` … of a case. */
export function readIncoming(folder: string): FeedFile[] {
  const feeds = [readFeedFile(folder, 'incoming.xml')];
  for (let number = 2; existsSync(join(folder, `incoming-${number}.xml`)); number += 1) feeds.push(readFeedFile(folder, `incoming-${number}.xml`));
  return feeds;
}

export function readFeedText(text: string): FeedFile {
  const scanner = new FeedScanner();
  const items: Item<Payload>[] = [];
  const plain: Payload[] = [];
  for (const fragment of scanner.write(text)) {
    const reading = readItem(fragment);
    if (reading.kind === 'rejected') throw new Error(JSON.stringify(reading.breaches));
    if (reading.kind === 'plain') plain.push(reading.payload);
    else items.push(reading.item);
  }
  return { head: scanner.end(), items, plain };
}
