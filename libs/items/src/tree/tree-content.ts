import type { CseContent, ItemContent } from '#core';
import { withoutData } from '../removed-data.ts';

/** What an item of a tree is, beside its place, its text and the counting of its versions. */
export type TreeValues = Pick<CseContent, 'feed' | 'guid' | 'hidden' | 'links'>;

/**
 * The content of an item of a tree of feeds. Throws `TypeError` for one of a collection whose items have
 * versions.
 */
export function treeContent(content: ItemContent): CseContent {
  if ('feed' in content) return content;
  throw new TypeError(`The item "${content.sync.id}" stands in no tree of feeds.`);
}

/** The item as a tombstone: it has no data and refers to nothing. `when` is RFC 3339. */
export function tombstoneOf(content: CseContent, when: string): CseContent {
  return {
    ...content,
    deleted: true,
    version: content.version + 1,
    when,
    data: withoutData(content.data),
    links: [],
  };
}
