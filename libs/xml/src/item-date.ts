import { readDate } from './date.ts';

/** The elements of RSS, Atom and Dublin Core that say when an item was published, or else changed. */
const dated = /<(?:[\w.-]+:)?(pubDate|published|issued|updated|date)(?:\s[^<>]*)?>([^<]{6,100})</g;

/**
 * Finds when an item was published by its own words, else when it was changed, in milliseconds since 1970.
 * Its XML is searched and not parsed: this is for an estimate, and costs little.
 */
export function publishedDate(xml: string): number | undefined {
  let changed: number | undefined;
  for (const [, name = '', text = ''] of xml.matchAll(dated)) {
    const date = Date.parse(readDate(text.trim())?.dateTime ?? '');
    if (Number.isNaN(date)) continue;
    if (name !== 'updated') return date;
    changed ??= date;
  }
  return changed;
}
