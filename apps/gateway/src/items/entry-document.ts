import { FeedScanner, describeFeed, writeFeedEnd, writeFeedStart } from '#xml';
import type { Dialect, Format } from '#xml';
import { renderedXml } from '#items';
import { feedOrigin } from '#protocol';
import { sharingProtocolOf } from '#protocols';
import type { Collection, StoredItem } from '#core';

/**
 * An item as a document of its own: what stands in the feeds of a format, with the declarations it has from
 * there.
 */
export function entryDocument(
  format: Format,
  collection: Collection,
  item: StoredItem,
  publicUrl: string,
): string {
  const { dialect } = sharingProtocolOf(collection);
  const entry = renderedXml(format, collection, item, publicUrl);
  const head = describeFeed({ format, ...feedOrigin(collection, '', item.updatedAt) });
  return onlyItem(`${writeFeedStart(head, dialect)}${entry}${writeFeedEnd(format)}`, dialect);
}

/** The item of a feed that has only this one, as a document of its own. */
export function onlyItem(feed: string, dialect: Dialect): string {
  const [fragment] = new FeedScanner(dialect).write(feed);
  if (fragment === undefined) throw new Error('The feed has no item.');
  return `<?xml version="1.0" encoding="utf-8"?>\n${fragment.xml}\n`;
}
