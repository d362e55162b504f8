import { FeedScanner, describeFeed, writeFeedEnd, writeFeedStart } from '#xml';
import type { Dialect, Format } from '#xml';
import { renderedXml } from '#items';
import { feedOrigin } from '#protocol';
import { sharingProtocolOf } from '#protocols';
import type { Collection, Steps, StoredItem } from '#core';

/** How many characters of a feed are read in one step. */
const stepLength = 65_536;

/**
 * An item as a document of its own: what stands in the feeds of a format, with the declarations it has from
 * there.
 */
export function* entryDocument(
  format: Format,
  collection: Collection,
  item: StoredItem,
  publicUrl: string,
): Steps<string> {
  const { dialect } = sharingProtocolOf(collection);
  const entry = yield* renderedXml(format, collection, item, publicUrl);
  yield;
  const head = describeFeed({ format, ...feedOrigin(collection, '', item.updatedAt) });
  return yield* onlyItem(`${writeFeedStart(head, dialect)}${entry}${writeFeedEnd(format)}`, dialect);
}

/** The item of a feed that has only this one, as a document of its own. */
export function* onlyItem(feed: string, dialect: Dialect): Steps<string> {
  const scanner = new FeedScanner(dialect);
  for (let start = 0; start < feed.length; start += stepLength) {
    const [fragment] = scanner.write(feed.slice(start, start + stepLength));
    if (fragment !== undefined) return `<?xml version="1.0" encoding="utf-8"?>\n${fragment.xml}\n`;
    yield;
  }
  throw new Error('The feed has no item.');
}
