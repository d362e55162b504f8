import { SaxesParser } from 'saxes';
import { formats } from './wild-document.ts';
import type { Format, WildDocument } from './wild-document.ts';
import type { TakenFeeds } from './taken-feeds.ts';
import type { Read } from './readers/index.ts';
import { compareReadings } from './reading-differences.ts';

/** A value that a program reads otherwise in our feed of a document than in the document. */
export interface OtherReading extends Pick<WildDocument, 'file' | 'isPublishers'> {
  /** Of our feed for readers. */
  readonly format: Format;
  readonly field: string;
  readonly text: string;
}

export interface ReaderResult {
  /** How many values were compared, in all documents and in those of publishers. */
  readonly compared: number;
  readonly comparedOfPublishers: number;
  readonly differing: readonly OtherReading[];
}

/** Has a program read each well-formed document, and our feeds of it, and compares what it reads. */
export async function compareWithReader(
  read: Read,
  documents: readonly WildDocument[],
  feeds: TakenFeeds,
): Promise<ReaderResult> {
  const wellFormed = documents.filter(isWellFormed);
  const files = new Map<string, string | Uint8Array>(wellFormed.map(({ file, body }) => [file, body]));
  for (const { file, formats: taking } of wellFormed) {
    const { reader: ours } = await feeds.taken(file, taking[0] ?? 'atom');
    for (const format of formats) files.set(`${file}.${format}`, ours[format]);
  }
  const readings = await read(files, feeds.origin);
  const differing: OtherReading[] = [];
  let compared = 0;
  let comparedOfPublishers = 0;
  for (const { file, isPublishers } of wellFormed) {
    const original = readings[file];
    // A program that does not read the document shows nothing to compare with.
    if (original === undefined || typeof original === 'string' || original.length === 0) continue;
    for (const format of formats) {
      const ours = readings[`${file}.${format}`];
      if (ours === undefined || typeof ours === 'string')
        throw new Error(`our ${format} of ${file} can't be read: ${ours}`);
      const comparison = compareReadings(original, ours);
      compared += comparison.compared;
      if (isPublishers) comparedOfPublishers += comparison.compared;
      differing.push(...comparison.differing.map((found) => ({ file, isPublishers, format, ...found })));
    }
  }
  return { compared, comparedOfPublishers, differing };
}

/** Whether a document is XML or JSON in UTF-8 by the rules. */
function isWellFormed({ file, body }: WildDocument): boolean {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body);
    if (file.endsWith('.json')) return JSON.parse(text) !== undefined;
    const [, encoding = 'utf-8'] = /^<\?xml[^>]*encoding="([^"]*)"/.exec(text) ?? [];
    new SaxesParser({ xmlns: true }).write(text).close();
    return encoding.toLowerCase() === 'utf-8';
  } catch {
    return false;
  }
}
