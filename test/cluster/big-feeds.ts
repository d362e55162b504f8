import { bigFeedUrl } from './feed-server.ts';
import type { Installation } from './installation.ts';

/** Makes a collection, and subscribes it to a feed of its own with so many items. */
export async function subscribe({ url }: Installation, collection: string, items: number): Promise<void> {
  const feed = { url: bigFeedUrl(collection, items) };
  for (const [path, body] of [
    [`/v1/collections/${collection}`, {}],
    [`/v1/collections/${collection}/subscriptions/feed`, feed],
  ] as const) {
    const headers = { 'Content-Type': 'application/json' };
    const response = await fetch(url + path, { method: 'PUT', headers, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`PUT ${path}: ${response.status} ${await response.text()}`);
  }
}

/** Whether each collection's feed has been fetched and all of its items are merged. */
export async function isMerged(
  { url }: Installation,
  collections: readonly string[],
  items: number,
): Promise<boolean> {
  const reports = collections.map(async (collection) => {
    const response = await fetch(`${url}/v1/collections/${collection}/subscriptions/feed`);
    const { last } = (await response.json()) as { readonly last?: { outcome: string; items?: number } };
    if (last !== undefined && last.outcome !== 'fetched') throw new Error(JSON.stringify(last));
    return last?.items === items;
  });
  return (await Promise.all(reports)).every(Boolean);
}
