import { maximumUrlLength } from '#http-fetch';
import { pageBytes, pageFeeds } from '#plain-feeds';
import { requestFetch, requestPublish } from '#contracts';
import { adoptionOf } from '#protocols';
import { comparableUrl, endBody, FetchError, inSlices, originOf, withoutUserInfo } from '#core';
import type { Collection, FetchResponse, NextFetch, Subscription } from '#core';
import type { FetchLease } from '../fetch-lease.ts';
import type { FetchPorts } from '../fetch-ports.ts';
import { begun, firstBytes } from '../body-pieces.ts';
import { beginDocument } from './begun-document.ts';
import { firstLivingFeed } from './living-feed.ts';

type Document = Extract<FetchResponse, { status: 'ok' }>;

/** What became of a document that may be a page: a feed to be read, or when its feed is fetched. */
export type Discovery =
  | { readonly kind: 'feed'; readonly response: Document }
  | { readonly kind: 'found'; readonly next: NextFetch };

/** What a fetch that may discover a feed needs to know of itself. */
interface DiscoveringFetch {
  readonly collection: Collection;
  readonly lease: FetchLease;
}

/**
 * Takes a document that was requested to discover a feed. If it is an HTML page, the subscription gets the
 * address of the page's feed, with an event, and is fetched at once. If the page names several, dead ones are
 * passed over.
 * @throws FetchError `no-feed-link` if the page names none, or none that responds with a feed;
 *   `already-subscribed` if another subscription reads it; as the body does
 */
export async function discoverFeed(
  ports: FetchPorts,
  fetch: DiscoveringFetch,
  arriving: Document,
): Promise<Discovery> {
  const { lease } = fetch;
  const heartbeat = async (): Promise<void> => {
    if (lease.isDue) await lease.renew();
  };
  let leave: (() => void) | undefined;
  let isFeed = false;
  try {
    const body = await begun(arriving.body, heartbeat);
    leave = await ports.reading?.take(heartbeat, ports.pace);
    const { kind, response } = await beginDocument({ ...arriving, body });
    if (kind !== 'html') {
      isFeed = true;
      return { kind: 'feed', response };
    }
    const bytes = await firstBytes(response.body, pageBytes);
    const feeds = await usableFeeds(lease.subscription, { ...response, bytes });
    // The page's host may have one place only.
    await endBody(arriving.body);
    const feed = await firstLivingFeed(ports.http, feeds, response.url, heartbeat);
    return { kind: 'found', next: await follow(ports, fetch, feed) };
  } finally {
    leave?.();
    if (!isFeed) await endBody(arriving.body);
  }
}

/**
 * Returns the addresses of the feeds that a page names and the subscription may read, the best one first.
 * Throws FetchError `no-feed-link` if there is none.
 */
async function usableFeeds(
  { url: subscribed, credentials }: Subscription,
  page: { readonly bytes: Uint8Array; readonly contentType?: string; readonly url: string },
): Promise<readonly string[]> {
  const others = new Set([subscribed, page.url].map(comparableUrl));
  const isUsable = (url: string): boolean =>
    url.length <= maximumUrlLength &&
    !others.has(comparableUrl(url)) &&
    (!credentials || originOf(url) === credentials.origin);
  const feeds = await inSlices(pageFeeds(page, isUsable));
  if (feeds.length > 0) return feeds.map(({ url }) => withoutUserInfo(url));
  const where = credentials ? ` at ${credentials.origin}, for which the credentials are` : '';
  throw new FetchError('no-feed-link', `${page.url} is an HTML page that names no feed${where}`);
}

async function follow(
  { store, queue, clock }: FetchPorts,
  { collection, lease: { subscription, manifest } }: DiscoveringFetch,
  url: string,
): Promise<NextFetch> {
  const { collection: key, id, url: formerUrl, adoptedAs } = subscription;
  const now = clock.now();
  const readers = await store.subscriptions.matching(key, id, url);
  const other = readers.find((reader) => reader.id !== id);
  if (other !== undefined) throw alreadySubscribed(subscription, url, other.id);
  const adoption = adoptionOf(collection);
  // What was derived from the page's address is derived from the feed's, as by everyone who adopts it.
  const isDerived = adoption !== undefined && adoptedAs === adoption.endpointOf(formerUrl);
  const feed = { url, ...(isDerived && { adoptedAs: adoption.endpointOf(url) }) };
  const isFollowed = await store.subscriptions.followPage(subscription, feed);
  const next = { nextFetchAt: now, nextFetchReason: `its feed was found on the page ${formerUrl}` };
  if (!isFollowed) {
    const [reader] = (await store.subscriptions.matching(key, id, url)).filter((one) => one.id !== id);
    if (reader !== undefined) throw alreadySubscribed(subscription, url, reader.id);
    // It has got another address meanwhile, and with that another time.
    return next;
  }
  const notice = { collection: key, subscription: id, type: 'moved', at: now } as const;
  await store.notices.add({ id: `${manifest}.moved`, ...notice, url, formerUrl: withoutUserInfo(formerUrl) });
  await queue.send([requestPublish(key), requestFetch(key, id)]);
  return next;
}

function alreadySubscribed({ url, id }: Subscription, feed: string, reader: string): FetchError {
  return new FetchError(
    'already-subscribed',
    `${url} names the feed ${feed}, which the collection reads as "${reader}" already; end "${id}"`,
  );
}
