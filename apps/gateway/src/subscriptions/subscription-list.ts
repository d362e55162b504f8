import type { SubscribedListView } from '#contracts';
import { subscriptionBody } from '#contracts';
import { fieldsOfPayload, payloadFromFields } from '#xml';
import type { OutlineDocument, OutlineNode } from '#xml';
import type { Collection, CollectionKey, Subscription } from '#core';
import { comparableUrl } from '#protocol';
import type { GatewayPorts } from '../gateway-ports.ts';
import { ProblemError } from '../problems/problem-error.ts';
import { putSubscription } from './subscribe.ts';

/** The subscribed feeds as aggregators exchange them: one outline each, in the order given. */
export function subscriptionList(
  { title }: Pick<Collection, 'title'>,
  subscriptions: readonly Subscription[],
): OutlineDocument {
  const outlines = subscriptions.map(({ url, feed }): OutlineNode => {
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

/**
 * Subscribes a collection to every feed of an aggregator's subscription list, in whatever folder: each
 * `xmlUrl` once.
 */
export async function subscribeToList(
  ports: GatewayPorts,
  collection: CollectionKey,
  list: OutlineDocument,
  subscriptions: readonly Subscription[],
): Promise<SubscribedListView> {
  const known = new Set(subscriptions.map(({ url }) => comparableUrl(url)));
  const refused: SubscribedListView['refused'][number][] = [];
  let [created, existing] = [0, 0];
  for (const { xmlUrl, text } of feedsIn(list)) {
    const { data, error } = subscriptionBody.safeParse({ url: xmlUrl });
    if (data === undefined) {
      refused.push({
        xmlUrl,
        ...(text !== undefined && { text }),
        message: error.issues.map(({ message }) => message).join('; '),
      });
    } else if (known.has(comparableUrl(data.url))) {
      existing += 1;
    } else {
      const refusal = await refusalOf(putSubscription(ports, collection, data));
      if (refusal === undefined) created += 1;
      else refused.push({ xmlUrl, ...(text !== undefined && { text }), message: refusal });
      known.add(comparableUrl(data.url));
    }
  }
  return { created, existing, refused };
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
    const { xmlUrl, text } = attributesOf(node);
    if (xmlUrl !== undefined) yield { xmlUrl: xmlUrl.trim(), text };
    for (const child of node.children.toReversed()) waiting.push(child);
  }
}

function attributesOf({ payload }: OutlineNode): { readonly xmlUrl?: string; readonly text?: string } {
  return fieldsOfPayload(payload).attributes ?? {};
}
