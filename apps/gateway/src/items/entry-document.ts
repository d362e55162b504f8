import { FeedScanner, describeFeed, writeFeedEnd, writeFeedStart } from '#feed-xml';
import { formatDateTime } from '#items';
import type { Collection, StoredItem } from '#ports';

/** An item as a document of its own: what stands in the feeds, with the declarations it has from there. */
export function entryDocument({ format, title, endpoint }: Collection, { entry, updatedAt }: StoredItem): string {
  const head = describeFeed({ format, title, id: `urn:feedmesh:${endpoint}`, selfUrl: '', updated: formatDateTime(updatedAt), author: title });
  const [fragment] = new FeedScanner().write(`${writeFeedStart(head)}${entry}${writeFeedEnd(format)}`);
  if (fragment === undefined) throw new Error(`The stored entry is no ${format} item.`);
  return `<?xml version="1.0" encoding="utf-8"?>\n${fragment.xml}\n`;
}
