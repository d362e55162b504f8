import { textOfHtml } from '#xml';
import type { ItemFields } from '#xml';
import type { Collection, StoredItem } from '#core';
import { protocolOf } from '#protocols';

/** How many characters of a value are searched, so that one item takes milliseconds. */
const searchedLength = 262_144;

/**
 * Returns a test whether an item contains each of some words, separated by white space, in its title, summary
 * or content, or in the attributes `text` and `title` of an outline: in the first 262,144 characters of each.
 * Case and markup do not count.
 */
export function itemSearch(collection: Collection, query: string): (item: StoredItem) => boolean {
  const protocol = protocolOf(collection);
  const words = query.toLowerCase().split(/\s+/);
  return ({ content }) => {
    const text = searchedText(protocol.json(content), collection.format).toLowerCase();
    return words.every((word) => text.includes(word));
  };
}

function searchedText(fields: ItemFields, format: Collection['format']): string {
  const { title, titleType, summary, summaryType, content, contentType, attributes } = fields;
  return [
    plainText(attributes?.['text'], 'text', format),
    plainText(attributes?.['title'], 'text', format),
    plainText(title, titleType, format),
    plainText(summary, summaryType, format),
    plainText(content, contentType, format),
  ].join('\n');
}

/** A value without its markup, which those of RSS can have without a type. */
function plainText(value = '', type = 'text', format: Collection['format']): string {
  const text = value.slice(0, searchedLength);
  return type === 'text' && format !== 'rss' ? text : textOfHtml(text);
}
