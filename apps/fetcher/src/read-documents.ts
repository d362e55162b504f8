import type { FeedHead } from '#xml';
import { endBody, FetchError, isSameSummary, reportedViolations } from '#core';
import type { Collection, Cursor, FetchResponse, ManifestSeal, Subscription } from '#core';
import { adoptionOf, sharingProtocolOf, synchronisationNamespaces } from '#protocols';
import { isOrdered, noCompleteFeed, safeUntil } from '#protocol';
import { BatchSender } from './batch-sender.ts';
import { FetchLease } from './fetch-lease.ts';
import type { FetchManifest } from './fetch-manifest.ts';
import { summarizeFeed } from './feed-summary.ts';
import type { FetchPorts } from './fetch-ports.ts';
import type { FetchSettings } from './fetch-settings.ts';
import { hints } from './hints.ts';
import { trustInHub } from './hubs/hub-trust.ts';
import { keptFields, unkeptFields } from './kept-fields.ts';
import { nextFetchAfterSuccess } from './next-fetch.ts';
import { PlainItems } from './plain-items.ts';
import { readFeed } from './read-feed.ts';
import { recordCompletion } from './record-completion.ts';
import { sealManifest } from './seal-manifest.ts';

/** How long a feed to be adopted may be if nothing else is set. */
const defaultAdoptedLength = 16_777_216;

type Document = Extract<FetchResponse, { status: 'ok' }>;

/** What came of a feed that was read. */
interface ReadDocuments {
  readonly head: FeedHead;
  readonly hasChanged: boolean;
}

/**
 * Reads a feed that has arrived, and the complete feed if the protocol plans so, hands its items on, and
 * seals the manifest; if it brings nothing to merge, ends the fetch. Waits until another feed may be read;
 * until then nothing of the body is. Returns the head of the feed, and whether it brought something to merge.
 * @throws FeedError or FetchError if a document can't be read; LeaseLostError if another fetch has begun
 */
export async function readDocuments(
  ports: FetchPorts,
  settings: FetchSettings,
  collection: Collection,
  subscription: Subscription,
  manifest: FetchManifest,
  response: Document,
): Promise<ReadDocuments> {
  const lease = new FetchLease(ports, subscription, manifest.id, settings.lease);
  const heartbeat = async (): Promise<void> => {
    if (lease.isDue) await lease.renew();
  };
  try {
    const leave = await ports.reading?.take(heartbeat);
    try {
      return await handOn(ports, settings, collection, subscription, manifest, response, heartbeat);
    } finally {
      leave?.();
    }
  } finally {
    await endBody(response.body);
  }
}

async function handOn(
  ports: FetchPorts,
  settings: FetchSettings,
  collection: Collection,
  subscription: Subscription,
  manifest: FetchManifest,
  response: Document,
  heartbeat: () => Promise<void>,
): Promise<ReadDocuments> {
  const protocol = sharingProtocolOf(collection);
  const sender = new BatchSender(
    { ...ports, heartbeat, openManifest: () => manifest.open() },
    { collection: collection.key, subscription: subscription.id, manifest: manifest.id },
    response.url,
    settings.batch,
  );
  const { adoptedLength = defaultAdoptedLength } = settings;
  const plain = plainItems(adoptedLength, collection, subscription);
  const take = async (fragments: Parameters<BatchSender['take']>[0]): Promise<void> => {
    await sender.take(plain?.take(fragments) ?? fragments);
    await heartbeat();
  };

  const scanning = { limits: settings.scan, dialect: protocol.dialect };
  const { adopt, cursor: before } = subscription;
  const tolerance = plain && {
    limit: adoptedLength,
    synchronisation: synchronisationNamespaces,
    // A feed that was synchronised when it was read last is so, even if this document does not show it.
    isSynchronised: () => plain.hasSynchronised || (adopt !== true && before.isSynchronised === true),
    hasItems: () => plain.hasItems(),
    restart: () => plain.restart(),
  };
  const { head, digest } = await readFeed(response, { ...scanning, tolerance }, take);
  if (plain) await sender.take(plain.end(head));
  const plan = protocol.planFeed(subscription, response.url, head);
  let complete: FeedHead | undefined;
  if (plan.complete !== undefined) {
    const answer = await getComplete(ports, plan.complete);
    try {
      await sender.beginCompleteFeed(answer.url, plan.outOfSync);
      complete = (await readFeed(answer, scanning, take)).head;
      if (plain) await sender.take(plain.end(complete));
    } finally {
      await endBody(answer.body);
    }
  }
  await sender.flush();

  // A feed that says nothing this time leaves what was cached: a gap is found by it later.
  const until = safeUntil(head.sharing, complete?.sharing) ?? subscription.cursor.until;
  const { contentType: _contentType, ...validators } = keptFields(response);
  const isSynchronised = plain !== undefined && (plain.hasSynchronised || head.sharing !== undefined);
  const cursor: Cursor = {
    ...validators,
    ...(isSynchronised && { isSynchronised }),
    ...(until !== undefined && { until }),
    digest,
  };
  const violations = [
    ...(plan.outOfSync && complete === undefined ? [noCompleteFeed(protocol.completeFeedSection)] : []),
    ...unkeptFields(response),
    ...head.violations,
  ].slice(0, reportedViolations);
  const { batches, items, known } = sender;
  const seal: ManifestSeal = {
    cursor,
    batches,
    items,
    known,
    resynced: plan.outOfSync && complete !== undefined,
    feed: summarizeFeed(
      head,
      protocol.republishedMarkup(head, synchronisationNamespaces),
      settings.markupLength,
    ),
    ...(violations.length > 0 && { violations }),
    ...nextFetchAfterSuccess(subscription, {
      ...hints(ports),
      ...feedHints(response, head),
      announces: trustInHub(subscription, batches > 0, ports.clock.now()).announces,
    }),
  };
  // What a resync discards, and the order of items, need the whole set, which finalizing looks at.
  if (batches === 0 && !seal.resynced && !isOrdered(collection))
    await completeRead(ports, subscription, manifest, seal);
  else {
    await manifest.open();
    await sealManifest(ports, collection.key, manifest.id, seal);
  }
  return { head, hasChanged: batches > 0 };
}

/** Where the items without synchronisation data go; undefined if they are left out by the mergers. */
function plainItems(
  limit: number,
  collection: Collection,
  { url, adopt, adoptedAs }: Subscription,
): PlainItems | undefined {
  const adoption = adopt === false ? undefined : adoptionOf(collection);
  if (adoption === undefined) return undefined;
  const endpoint = adoptedAs ?? adoption.endpointOf(url);
  return new PlainItems({ adoption, endpoint, always: adopt === true, limit });
}

/** Ends the fetch of a feed that brought nothing to merge. */
async function completeRead(
  ports: FetchPorts,
  subscription: Subscription,
  manifest: FetchManifest,
  { cursor, items, feed, violations, nextFetchAt, nextFetchReason }: ManifestSeal,
): Promise<void> {
  await recordCompletion(ports, subscription, manifest, {
    report: {
      at: ports.clock.now(),
      outcome: 'fetched',
      items,
      rejected: 0,
      ...(violations && { violations }),
    },
    cursor,
    ...(feed && !isSameSummary(subscription.feed, feed) && { feed }),
    nextFetchAt,
    nextFetchReason,
  });
}

async function getComplete(ports: FetchPorts, url: string): Promise<Document> {
  const response = await ports.http.get({ url }).catch((error: unknown) => {
    // Whatever has become of the complete feed: the feed that was subscribed to is not gone.
    throw error instanceof FetchError && error.status === 410
      ? new FetchError(error.rule, error.message, { cause: error })
      : error;
  });
  if (response.status === 'not-modified')
    throw new FetchError('http-status', `${url} answered 304 to a request without conditions.`, {
      status: 304,
    });
  return response;
}

function feedHints(response: Document, head: FeedHead) {
  return {
    ...(response.freshness.seconds !== undefined && { freshness: response.freshness.seconds }),
    ...(head.ttl !== undefined && { timeToLive: head.ttl * 60 }),
    ...(head.sharing?.expires !== undefined && { expires: new Date(head.sharing.expires) }),
    ...(head.sharing?.window !== undefined && { window: head.sharing.window }),
  };
}
