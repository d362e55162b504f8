import type { TreeItemView } from '#contracts';
import { describeItem, fieldsOfPayload } from '#xml';
import { treeContent } from '#cse';
import type { Collection, StoredItem } from '#core';
import type { ViewPorts } from '../view-ports.ts';
import { itemDates } from './item-dates.ts';
import { linkViews } from './link-view.ts';

/** Items of one tree as they are shown, in the order given. */
export async function treeItemViews(
  ports: ViewPorts,
  collection: Collection,
  items: readonly StoredItem[],
): Promise<TreeItemView[]> {
  const dates = await itemDates(ports.store, collection.key, items);
  const links = await linkViews(ports, collection, items);
  return items.map((item) => {
    const { id, revision, actor, createdAt, updatedAt } = item;
    const { feed, guid, hidden, deleted, version, data } = treeContent(item.content);
    const [lastBuildDate, shown = []] = [dates.get(id), links.get(id)];
    return {
      id,
      feed,
      guid,
      hidden,
      ...fieldsOfPayload(data),
      ...describeItem(data),
      deleted,
      version,
      ...(lastBuildDate && { lastBuildDate: lastBuildDate.toISOString() }),
      links: shown,
      revision,
      ...(actor && { actor }),
      createdAt: createdAt.toISOString(),
      updatedAt: updatedAt.toISOString(),
    };
  });
}
