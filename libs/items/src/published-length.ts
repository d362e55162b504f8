import type { Collection, ItemWrite, Steps } from '#core';
import { protocolOf } from '#protocols';
import { renderedXml } from './rendered-xml.ts';

/**
 * How long an item may be as it stands in a feed of ours, in UTF-16 code units. Whoever reads a feed by the
 * same limits as we do takes 4,194,304 with what the item inherits, and refuses the whole feed for one item
 * that is longer.
 */
const maximumPublishedLength = 4_128_768;

/**
 * How many times as long as in its own format an item can be in another: HTML is escaped there, and stands
 * beside what it was made of.
 */
const longestConversion = 8;

/** As long as whatever an item is called in our feeds: to make its own takes longer than all the rest. */
const anyId = `urn:uuid:${'0'.repeat(36)}`;

/** An item is too long to stand in a feed; nothing was written. */
export class PublishedLengthError extends Error {
  override readonly name = 'PublishedLengthError';
}

/**
 * Checks that an item can stand in each of the collection's feeds.
 * @param publicUrl where this endpoint is reached, without a slash at its end
 * @throws PublishedLengthError if it would be too long, and as `renderedXml` does
 */
export function* checkPublishedLength(
  collection: Collection,
  { item }: ItemWrite,
  publicUrl: string,
): Steps<void> {
  const { length } = yield* renderedXml(collection.format, collection, item, publicUrl, anyId);
  check(item.id, collection.format, length);
  yield;
  if (length * longestConversion <= maximumPublishedLength) return;
  for (const format of protocolOf(collection).publishedFormats(collection.format)) {
    if (format === collection.format) continue;
    const converted = yield* renderedXml(format, collection, item, publicUrl, anyId);
    check(item.id, format, converted.length);
    yield;
  }
}

function check(id: string, format: string, length: number): void {
  if (length <= maximumPublishedLength) return;
  const name = JSON.stringify(id.length > 100 ? `${id.slice(0, 100)}…` : id);
  throw new PublishedLengthError(
    `The item ${name} would have ${length} characters in the ${format} feed with its conflicts; at most ` +
      `${maximumPublishedLength} are published (limit "publishedLength").`,
  );
}
