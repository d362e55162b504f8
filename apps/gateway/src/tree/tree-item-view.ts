import { fieldsOfPayload } from '#xml';
import type { ItemFields } from '#xml';
import { treeContent } from '#items';
import type { Collection, CseContent, StoredItem } from '#core';
import type { GatewayPorts } from '../gateway-ports.ts';
import { itemDates } from './item-dates.ts';
import { linkViews } from './link-view.ts';
import type { LinkView } from './link-view.ts';

/** An item of a tree as it is shown. */
export type TreeItemView = ItemFields &
  Pick<StoredItem, 'id' | 'revision' | 'createdAt' | 'updatedAt'> &
  Pick<CseContent, 'feed' | 'guid' | 'hidden' | 'deleted' | 'version'> & {
    /** When it was published, or what it nests, whichever was later; absent before that. */
    readonly lastBuildDate?: Date;
    /** In document order. */
    readonly links: readonly LinkView[];
  };

/** Items of one tree as they are shown, in the order given. */
export async function treeItemViews(
  ports: Pick<GatewayPorts, 'store' | 'publicUrl'>,
  collection: Collection,
  items: readonly StoredItem[],
): Promise<TreeItemView[]> {
  const dates = await itemDates(ports.store, collection.name, items);
  const links = await linkViews(ports, collection, items);
  return items.map((item) => {
    const { id, revision, createdAt, updatedAt } = item;
    const { feed, guid, hidden, deleted, version, data } = treeContent(item.content);
    const [lastBuildDate, shown = []] = [dates.get(id), links.get(id)];
    return {
      id,
      feed,
      guid,
      hidden,
      ...fieldsOfPayload(data),
      deleted,
      version,
      ...(lastBuildDate && { lastBuildDate }),
      links: shown,
      revision,
      createdAt,
      updatedAt,
    };
  });
}
