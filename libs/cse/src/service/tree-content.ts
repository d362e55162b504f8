import type { TreeContent, ItemContent } from '#core';
import { withoutData } from '#protocol';

/**
 * The content of an item of a tree of feeds. Throws `TypeError` for one of a collection whose items have
 * versions.
 */
export function treeContent(content: ItemContent): TreeContent {
  if ('feed' in content) return content;
  throw new TypeError(`The item "${content.sync.id}" stands in no tree of feeds.`);
}

/** The item as a tombstone: it has no data and refers to nothing. `when` is RFC 3339. */
export function tombstoneOf(content: TreeContent, when: string): TreeContent {
  return {
    ...content,
    deleted: true,
    version: content.version + 1,
    when,
    data: withoutData(content.data),
    links: [],
  };
}
