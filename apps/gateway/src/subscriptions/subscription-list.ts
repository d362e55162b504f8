import type { SubscribedListView } from '#contracts';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { subscriptionBody } from '#contracts';
import { fieldsOfPayload, payloadFromFields } from '#xml';
import type { OutlineDocument, OutlineNode } from '#xml';
import type { Request } from 'express';
import { comparableUrl, withoutUserInfo } from '#core';
import type { Collection, SealedCredentials, Subscription } from '#core';
import { isFeedTree } from '#protocols';
import type { GatewayPorts } from '../gateway-ports.ts';
import { ProblemError } from '../problems/problem-error.ts';
import { readOutlineBody } from '../outline/outline-document.ts';
import { allSubscriptions } from './all-subscriptions.ts';
import type { ListProgress } from './list-progress.ts';
import { sealRequested } from './requested-credentials.ts';
import { subscribe, subscribeAll } from './subscribe.ts';

/** The subscribed feeds as aggregators exchange them: one outline each, in the order given. */
export function subscriptionList(
  { title }: Pick<Collection, 'title'>,
  subscriptions: readonly Subscription[],
): OutlineDocument {
  const outlines = subscriptions.map(({ url: address, feed }): OutlineNode => {
    const url = withoutUserInfo(address);
    const name = feed?.title ?? url;
    return {
      payload: payloadFromFields('opml', {
        attributes: { type: 'rss', text: name, title: name, xmlUrl: url },
      }),
      children: [],
    };
  });
  return { title, outlines };
}

/** An ampersand that begins no reference of XML: many lists have it in their addresses. */
const rawAmpersand = /&(?!(?:amp|lt|gt|quot|apos|#[0-9]+|#x[0-9a-f]+);)/gi;

/** Reads a subscription list in which ampersands may stand unescaped. Throws as `readOutlineBody` does. */
export async function readSubscriptionList({ body }: Pick<Request, 'body'>): Promise<OutlineDocument> {
  const read: unknown = body;
  return readOutlineBody({ body: typeof read === 'string' ? read.replace(rawAmpersand, '&amp;') : read });
}

/**
 * Subscribes a collection to every feed of an aggregator's subscription list, in whatever folder: each
 * `xmlUrl` once. In steps, so that other requests wait for little.
 * @param progress called after each step
 */
export async function subscribeToList(
  ports: GatewayPorts,
  collection: Collection,
  list: OutlineDocument,
  progress: ListProgress = () => {},
): Promise<SubscribedListView> {
  const named = [...feedsIn(list)];
  const subscriptions = await allSubscriptions(ports.store, collection.key);
  const known = new Set(subscriptions.map(({ url }) => comparableUrl(url)));
  const refused: SubscribedListView['refused'][number][] = [];
  const feeds: NewFeed[] = [];
  let existing = 0;
  for (const [place, { xmlUrl, text }] of named.entries()) {
    if (place > 0 && place % step === 0) {
      progress(existing + refused.length, named.length);
      await yieldToEventLoop();
    }
    const titled = { xmlUrl: withoutUserInfo(xmlUrl), ...(text !== undefined && { text }) };
    const { data, error } = subscriptionBody.safeParse({ url: xmlUrl });
    const feed = data && sealed(ports, collection, data.url);
    if (data === undefined) {
      refused.push({ ...titled, message: error.issues.map(({ message }) => message).join('; ') });
    } else if (feed === undefined || typeof feed === 'string') {
      refused.push({ ...titled, message: feed ?? '' });
    } else if (known.has(comparableUrl(feed.url))) {
      existing += 1;
    } else {
      feeds.push({ ...titled, ...feed });
      known.add(comparableUrl(feed.url));
    }
  }
  if (!isFeedTree(collection)) {
    const decided = existing + refused.length;
    const created = await subscribeAll(ports, collection.key, feeds, (done) =>
      progress(decided + done, named.length),
    );
    return { created, existing: existing + feeds.length - created, refused };
  }
  // One by one: a tree has one source, and says so of the others.
  let created = 0;
  for (const { url, credentials, ...feed } of feeds) {
    const refusal = await refusalOf(subscribe(ports, collection.key, { url, credentials }));
    if (refusal === undefined) created += 1;
    else refused.push({ ...feed, message: refusal });
    progress(existing + created + refused.length, named.length);
  }
  return { created, existing, refused };
}

/** How many feeds of a list are looked at in one go. */
const step = 500;

/** A feed of a list that is not subscribed to yet. */
interface NewFeed {
  readonly xmlUrl: string;
  readonly text?: string;
  /** Its address, checked. */
  readonly url: string;
  /** Those of the address, which is without them. */
  readonly credentials?: SealedCredentials | null | undefined;
}

/** A feed with the credentials of its address encrypted, or why they can't be. */
function sealed(
  { configuration: { CREDENTIALS_KEYS = [] } }: GatewayPorts,
  { key }: Collection,
  url: string,
): Pick<NewFeed, 'url' | 'credentials'> | string {
  try {
    return sealRequested(CREDENTIALS_KEYS, key, { url });
  } catch (error) {
    if (error instanceof ProblemError) return error.message;
    throw error;
  }
}

/**
 * Why a feed can't be subscribed to as things are, such as a second one by a tree; undefined if it is
 * subscribed to.
 */
async function refusalOf(subscribed: Promise<unknown>): Promise<string | undefined> {
  try {
    await subscribed;
    return undefined;
  } catch (error) {
    if (error instanceof ProblemError && error.status === 409) return error.message;
    throw error;
  }
}

/** The feeds that a document names, in document order; found without recursion, however deep they stand. */
function* feedsIn({
  outlines,
}: OutlineDocument): Generator<{ readonly xmlUrl: string; readonly text: string | undefined }> {
  const waiting = outlines.toReversed();
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    const attributes = attributesOf(node);
    const xmlUrl = attributes.get('xmlurl') ?? (isFeed(attributes) ? attributes.get('url') : undefined);
    if (xmlUrl !== undefined) yield { xmlUrl: xmlUrl.trim(), text: attributes.get('text') };
    for (const child of node.children.toReversed()) waiting.push(child);
  }
}

/** Attributes by name in lower case, since programs write `xmlurl` and `xmlURL` too. */
function attributesOf({ payload }: OutlineNode): ReadonlyMap<string, string> {
  const { attributes = {} } = fieldsOfPayload(payload);
  return new Map(Object.entries(attributes).map(([name, value]) => [name.toLowerCase(), value]));
}

/** Whether an outline is a feed by its type, so that its `url` is that of a feed, and of no page. */
function isFeed(attributes: ReadonlyMap<string, string>): boolean {
  return /^(?:rss|atom|rdf|feed)/i.test(attributes.get('type')?.trim() ?? '');
}
