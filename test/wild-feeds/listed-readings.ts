import { readFileSync } from 'node:fs';
import type { OtherReading } from './other-readers.ts';
import type { ReaderName } from './readers/index.ts';

/** Documents of which a program reads a value otherwise in our feeds, and why that is right. */
interface Entry {
  readonly reader: ReaderName;
  readonly field: string;
  readonly documents: readonly string[];
  readonly reason: string;
}

interface ListedReading {
  readonly field: string;
  readonly file: string;
}

const file = new URL('other-readers.json', import.meta.url);
const lists = JSON.parse(readFileSync(file, 'utf8')) as Record<'misread' | 'chosen', readonly Entry[]>;

/**
 * Where a program may read something else in our feeds: `misread` has the values of documents that it reads
 * otherwise than the specifications say, `chosen` those that we show otherwise.
 */
export function listedReadings(reader: ReaderName): Record<'misread' | 'chosen', readonly ListedReading[]> {
  const named = (entries: readonly Entry[]): ListedReading[] =>
    entries
      .filter((entry) => entry.reader === reader)
      .flatMap(({ field, documents }) => documents.map((name) => ({ field, file: name })));
  return { misread: named(lists.misread), chosen: named(lists.chosen) };
}

export function isListed({ file, field }: OtherReading, listed: readonly ListedReading[]): boolean {
  return listed.some((entry) => entry.file === file && entry.field === field);
}
