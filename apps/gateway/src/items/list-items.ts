import type { ItemsQuery, Page } from '#contracts';
import { itemId, timePlaceOf } from '#core';
import type { Collection, ItemId, ItemSelection, StoredItem, TimeOrder, TimePlace } from '#core';
import type { GatewayPorts } from '../gateway-ports.ts';
import { invalidCursor, jsonBytes, readPage } from '../pages/page.ts';
import type { Load } from '../pages/page.ts';
import { itemSearch } from './item-search.ts';

type Items = GatewayPorts['store']['items'];

/** An item with its place in a list. */
interface Listed {
  readonly place: string;
  readonly item: StoredItem;
}

/** Reads a page of the items of a collection that a query selects. Throws as `readPage` does. */
export async function listItems(
  ports: GatewayPorts,
  collection: Collection,
  query: ItemsQuery,
): Promise<Page<StoredItem>> {
  const { q } = query;
  const matches = q === undefined ? undefined : itemSearch(collection, q);
  const { items, ...rest } = await readPage(
    query,
    ports,
    loadOf(ports.store.items, collection, query),
    ({ place }) => place,
    ({ item }) => jsonBytes(item.content),
    {
      query: nameOf(collection, query),
      ...(matches && { matches: ({ item }) => matches(item) }),
    },
  );
  return { ...rest, items: items.map(({ item }) => item) };
}

/** What cursors of a query are told from those of others by. */
function nameOf({ key }: Collection, { sort, q, ids, ...query }: ItemsQuery): string {
  return JSON.stringify([key, selectionOf(query), sort, q, ids]);
}

function selectionOf({ state, deleted }: Pick<ItemsQuery, 'state' | 'deleted'>): ItemSelection {
  if (state === 'conflict') return { conflicts: true };
  if (state === 'deleted') return { deleted: true };
  return state === 'live' || deleted === 'false' ? { deleted: false } : {};
}

function loadOf(store: Items, { key }: Collection, query: ItemsQuery): Load<Listed> {
  const { sort, ids } = query;
  if (ids !== undefined) return (page) => namedItems(store, key, ids.map(itemId), page);
  const selection = selectionOf(query);
  if (sort === undefined)
    return async (page) =>
      (await store.list(key, { ...page, ...selection })).map((item) => ({ place: item.id, item }));
  const order = orderOf(sort);
  return async ({ after, limit }) => {
    const place = after === undefined ? {} : { after: timePlaceIn(after) };
    const items = await store.listByTime(key, order, { ...place, limit, ...selection });
    return items.map((item) => ({ place: placeText(timePlaceOf(item, order)), item }));
  };
}

function orderOf(sort: NonNullable<ItemsQuery['sort']>): TimeOrder {
  const by = sort.endsWith('published') ? 'createdAt' : 'updatedAt';
  return { by, isAscending: sort.startsWith('-') };
}

function placeText({ at, id }: TimePlace): string {
  return `${at.toISOString()} ${id}`;
}

function timePlaceIn(text: string): TimePlace {
  const end = text.indexOf(' ');
  const at = new Date(text.slice(0, end));
  if (Number.isNaN(at.getTime())) throw invalidCursor('not a cursor that this list has given');
  return { at, id: text.slice(end + 1) };
}

/** Loads those of some items that exist, in the order of their ids; a place is the number of an id. */
async function namedItems(
  store: Items,
  collection: Collection['key'],
  ids: readonly ItemId[],
  { after = '-1', limit }: { readonly after?: string; readonly limit: number },
): Promise<Listed[]> {
  const found: Listed[] = [];
  for (let next = Number(after) + 1; next < ids.length && found.length < limit;) {
    const wanted = ids.slice(next, next + limit - found.length);
    const loaded = await store.load(collection, wanted);
    for (const [place, id] of wanted.entries()) {
      const item = loaded.get(id);
      if (item) found.push({ place: String(next + place), item });
    }
    next += wanted.length;
  }
  return found;
}
