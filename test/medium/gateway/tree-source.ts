import { mirrorFeed } from '#items';
import { cacheDocument } from '../../support/cache-document.ts';
import type { CollectionKey, DownloadFailure } from '#core';

import type { GatewayUnderTest } from './gateway-under-test.ts';

/**
 * One document of a mirrored tree: what it holds, or why it could not be fetched, or neither yet.
 */
export interface SourceDocument {
  readonly url: string;
  readonly isFeed?: boolean;
  readonly onDemand?: boolean;
  readonly body?: string;
  readonly type?: string;
  readonly failure?: DownloadFailure;
}

/** The date of everything in these trees, unless it says another one. */
export const sourceDate = '2026-01-02T03:04:05Z';

/** A feed of a tree. */
export function sourceFeed(title: string, ...items: readonly string[]): string {
  return (
    '<rss version="2.0" xmlns:csx="http://schemas.microsoft.com/rss/2007/contentsyncextensions">' +
    `<channel><title>${title}</title><link>http://source.example/</link>` +
    `<description>About ${title}</description><lastBuildDate>Fri, 02 Jan 2026 03:04:05 GMT` +
    `</lastBuildDate>${items.join('')}</channel></rss>`
  );
}

/** An item of such a feed; `content` is XML. */
export function sourceItem(guid: string, content: string, attributes = ''): string {
  return (
    `<item${attributes}><guid isPermaLink="false">${guid}</guid><title>${guid}</title>` +
    `<csx:lastBuildDate>Fri, 02 Jan 2026 03:04:05 GMT</csx:lastBuildDate>${content}</item>`
  );
}

/**
 * Does what fetcher, merger and publisher would: puts documents into the cache of a mirror, brings the items
 * of its feeds in step, and publishes them.
 */
export async function mirrorTree(
  gateway: Pick<GatewayUnderTest, 'store' | 'publish'>,
  key: CollectionKey,
  root: string,
  documents: readonly SourceDocument[],
  at = new Date(),
): Promise<void> {
  const { store } = gateway;
  const collection = await store.collections.find(key);
  const [subscription] = await store.subscriptions.list(key, { limit: 1 });
  if (collection === undefined || subscription === undefined) throw new Error(`${key} is no mirror`);
  for (const { url, body, type, failure, isFeed = false, onDemand = false } of documents) {
    await store.documents.describe(key, [
      { url, isFeed, onDemand, lastBuildDate: sourceDate, ...(failure && { failure }) },
    ]);
    if (body === undefined) continue;
    await cacheDocument(store, key, {
      url,
      text: body,
      isFeed,
      lastBuildDate: sourceDate,
      at,
      manifest: 'one',
      ...(type !== undefined && { type }),
    });
  }
  const ports = { store, now: () => at, heartbeat: async () => {} };
  for (const { url, isFeed, body } of documents) {
    if (isFeed === true && body !== undefined)
      await mirrorFeed(ports, collection, { subscription: subscription.id, url, root });
  }
  await gateway.publish(key, { at });
}
