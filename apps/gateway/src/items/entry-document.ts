import { FeedScanner, describeFeed, writeFeedEnd, writeFeedStart } from '#feed-xml';
import type { Format } from '#feed-xml';
import { entryIn } from '#items';
import type { Collection, StoredItem } from '#ports';
import { feedOrigin } from '../feeds/feed-origin.ts';

/** An item as a document of its own: what stands in the feeds of a format, with the declarations it has from there. */
export function entryDocument(format: Format, collection: Collection, item: StoredItem, publicUrl: string): string {
  const dialect = collection.protocol;
  const entry = format === collection.format ? item.entry : entryIn(format, collection, item, publicUrl);
  const head = describeFeed({ format, dialect, ...feedOrigin(collection, '', item.updatedAt) });
  const [fragment] = new FeedScanner({ dialect }).write(`${writeFeedStart(head)}${entry}${writeFeedEnd(format)}`);
  if (fragment === undefined) throw new Error(`The entry is no ${format} item.`);
  return `<?xml version="1.0" encoding="utf-8"?>\n${fragment.xml}\n`;
}
