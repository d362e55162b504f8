import { itemJson } from '#items';
import type { ItemJson } from '#items';
import type { StoredItem } from '#ports';

/** An item as it is shown. `revision` is what its ETag holds. */
export function itemView({ content, revision, createdAt, updatedAt }: StoredItem): ItemJson & Pick<StoredItem, 'revision' | 'createdAt' | 'updatedAt'> {
  return { ...itemJson(content), revision, createdAt, updatedAt };
}
