import { FeedError } from '#xml';
import type { FeedHead, Fragment } from '#xml';
import { endBody, isSameSummary, reportedViolations, Slices } from '#core';
import type { Collection, Cursor, FetchResponse, ManifestSeal, Subscription } from '#core';
import { CutOffError, readFeed } from '#plain-feeds';
import { sharingProtocolOf, synchronisationNamespaces } from '#protocols';
import { isOrdered, noCompleteFeed, safeUntil } from '#protocol';
import { ArrivingItems } from './arriving-items.ts';
import { begun } from './body-pieces.ts';
import { BatchSender } from './batch-sender.ts';
import { changedBody } from './compared-body.ts';
import { completeUnchanged } from './complete-unchanged.ts';
import { validatorsOf } from './conditions.ts';
import type { FetchManifest } from './fetch-manifest.ts';
import { summarizeFeed } from './feed-summary.ts';
import type { FetchPorts } from './fetch-ports.ts';
import type { FetchSettings } from './fetch-settings.ts';
import { hints } from './hints.ts';
import { trustInHub } from './hubs/hub-trust.ts';
import { keptFields, unkeptFields } from './kept-fields.ts';
import { nextFetchAfterSuccess } from './next-fetch.ts';
import { requestComplete } from './request-complete.ts';
import { recordCompletion } from './record-completion.ts';
import { observedRhythm } from './rhythm/observed-rhythm.ts';
import { usualInterval } from './rhythm/usual-interval.ts';
import { sealManifest } from './seal-manifest.ts';
import { isStaleDocument } from './stale-document.ts';
import { statedChange, statedSchedule } from './stated-schedule.ts';
import { UnreadFeedError } from './unread-feed.ts';

/** How long a feed may be to be compared if nothing else is set. */
const usualComparedBytes = 1_048_576;

type Document = Extract<FetchResponse, { status: 'ok' }>;

/** A feed that has arrived, and when it was last requested without conditions, if that is known. */
interface ArrivedFeed extends Document {
  readonly unconditionalAt?: Date | undefined;
}

/** What came of a feed that was read. */
interface ReadDocuments {
  /** Absent if it is the feed that was read last. */
  readonly head?: FeedHead;
  readonly hasChanged: boolean;
}

/**
 * Reads a feed that has arrived, unless it is the one that was read last, and the complete feed if the
 * protocol plans so, hands its items on, and seals the manifest; if it brings nothing to merge, ends the
 * fetch. Waits until another feed may be read, once the feed has begun to arrive. Returns the head of the
 * feed, and whether it brought something to merge.
 * @throws FeedError (UnreadFeedError if it is the feed, and whole) or FetchError if a document can't be read;
 *   LeaseLostError if another fetch has begun
 */
export async function readDocuments(
  ports: FetchPorts,
  settings: FetchSettings,
  collection: Collection,
  subscription: Subscription,
  manifest: FetchManifest,
  response: ArrivedFeed,
): Promise<ReadDocuments> {
  const { lease } = manifest;
  const slices = new Slices();
  const heartbeat = async (): Promise<void> => {
    await slices.rest();
    if (lease.isDue) await lease.renew();
  };
  try {
    const beginning = await begun(response.body, heartbeat);
    const leave = await ports.reading?.take(heartbeat, ports.pace);
    try {
      const { date, unconditionalAt } = response;
      const { contentType: _contentType, ...fields } = keptFields(response);
      const validators = validatorsOf({ ...fields, ...(date !== undefined && { date }) }, unconditionalAt);
      const { comparedBytes = usualComparedBytes } = settings;
      const { cursor } = subscription;
      const body = await changedBody(beginning, cursor.digest, comparedBytes, heartbeat);
      if (body === undefined) {
        await completeUnchanged(ports, subscription, manifest, response, withValidators(cursor, validators));
        return { hasChanged: false };
      }
      const arrived = { ...response, body };
      const terms = { validators, heartbeat };
      return await handOn(ports, settings, collection, subscription, manifest, arrived, terms);
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
  { validators, heartbeat }: { validators: Cursor; heartbeat: () => Promise<void> },
): Promise<ReadDocuments> {
  const protocol = sharingProtocolOf(collection);
  const sender = new BatchSender(
    { ...ports, heartbeat, openManifest: () => manifest.open() },
    {
      collection: collection.key,
      subscription: subscription.id,
      manifest: manifest.id,
      ...(isStaleDocument(subscription.cursor, response) && { isStale: true }),
    },
    response.url,
    settings.batch,
    subscription.last === undefined,
  );
  const arriving = new ArrivingItems(ports, settings, collection, subscription, sender, heartbeat);
  const take = (fragments: readonly Fragment[]): Promise<void> => arriving.take(fragments);
  const scanning = { limits: settings.scan, dialect: protocol.dialect };
  const { tolerance } = arriving;
  const { head, digest, isCutOff } = await readFeed(response, { ...scanning, tolerance }, take).catch(
    (error: unknown) => {
      // What was cut off may be whole the next time: nothing is kept that would have it answered by a 304.
      throw error instanceof FeedError && !(error instanceof CutOffError)
        ? new UnreadFeedError(error.violation, { cause: error })
        : error;
    },
  );
  await arriving.end(head);
  const plan = protocol.planFeed(subscription, response.url, head);
  let complete: FeedHead | undefined;
  if (plan.complete !== undefined) {
    const answer = await requestComplete(ports.http, plan.complete);
    try {
      await sender.beginCompleteFeed(answer.url, plan.outOfSync);
      complete = (await readFeed(answer, scanning, take)).head;
      await arriving.end(complete);
    } finally {
      await endBody(answer.body);
    }
  }
  const { adopts, hasSynchronised, refused } = arriving;
  const isSynchronised = !adopts || hasSynchronised || head.sharing !== undefined;
  if (isSynchronised) refused.assertKept(plan.outOfSync && complete !== undefined);
  await refused.store(ports, heartbeat);
  const sendLast = await sender.last();

  // A feed that says nothing this time leaves what was cached: a gap is found by it later.
  const until = safeUntil(head.sharing, complete?.sharing) ?? subscription.cursor.until;
  const cursor: Cursor = {
    // What was cut off may be whole the next time, unless it has come like that before.
    ...(isCutOff && digest !== subscription.cursor.digest ? {} : validators),
    ...(adopts && isSynchronised && { isSynchronised }),
    ...(until !== undefined && { until }),
    ...(arriving.identifiers && { identifiers: arriving.identifiers }),
    digest,
  };
  const violations = [
    ...(plan.outOfSync && complete === undefined ? [noCompleteFeed(protocol.completeFeedSection)] : []),
    ...unkeptFields(response),
    ...refused.violations,
    ...arriving.violations,
    ...head.violations,
  ].slice(0, reportedViolations);
  const { batches, items, known } = sender;
  const moment = hints(ports);
  const stated = statedSchedule(head);
  const rhythm = observedRhythm(subscription, {
    now: moment.now,
    isChanged: batches > 0,
    dates: arriving.dates.dates,
    lastModified: response.lastModified,
  });
  const { interval } = subscription;
  const { seconds: freshness } = response.freshness;
  const seal: ManifestSeal = {
    cursor,
    ...statedChange(subscription.stated, stated),
    ...(rhythm && { rhythm }),
    batches,
    items: items + refused.count,
    known,
    ...(refused.count > 0 && { refused: refused.count }),
    resynced: plan.outOfSync && complete !== undefined,
    feed: summarizeFeed(
      head,
      protocol.republishedMarkup(head, synchronisationNamespaces),
      settings.markupLength,
    ),
    ...(violations.length > 0 && { violations }),
    transfer: { ...manifest.transfer },
    ...nextFetchAfterSuccess(subscription, {
      ...moment,
      rhythm: usualInterval(rhythm ? { interval, rhythm } : subscription, moment),
      ...stated,
      ...(freshness !== undefined && { freshness }),
      announces: trustInHub(subscription, batches > 0, moment.now).announces,
    }),
  };
  // What a resync discards, and the order of items, need the whole set, which finalizing looks at.
  const needsWhole = seal.resynced || isOrdered(collection);
  if (batches === 0 && !needsWhole) await completeRead(ports, subscription, manifest, seal);
  else if (sendLast !== undefined && batches === 1 && !needsWhole && !manifest.lease.isTaken) {
    // One batch needs no manifest: what it ends with is kept with the lease.
    await manifest.lease.take(seal);
    await sendLast();
  } else {
    await manifest.open();
    await sendLast?.();
    await sealManifest(ports, collection.key, manifest.id, seal);
  }
  return { head, hasChanged: batches > 0 };
}

/** Ends the fetch of a feed that brought nothing to merge. */
async function completeRead(
  ports: FetchPorts,
  subscription: Subscription,
  manifest: FetchManifest,
  {
    cursor,
    stated,
    rhythm,
    items,
    refused = 0,
    feed,
    violations,
    nextFetchAt,
    nextFetchReason,
  }: ManifestSeal,
): Promise<void> {
  await recordCompletion(ports, manifest, {
    report: {
      at: ports.clock.now(),
      outcome: 'fetched',
      items,
      rejected: refused,
      ...(violations && { violations }),
    },
    cursor,
    ...(stated && { stated }),
    ...(rhythm && { rhythm }),
    ...(feed && !isSameSummary(subscription.feed, feed) && { feed }),
    nextFetchAt,
    nextFetchReason,
  });
}

/** The cursor with other validators; undefined if it has them already. */
function withValidators(former: Cursor, validators: Cursor): Cursor | undefined {
  const { etag, lastModified, date, unconditionalAt: _unconditionalAt, ...rest } = former;
  const isSame =
    etag === validators.etag && lastModified === validators.lastModified && date === validators.date;
  return isSame ? undefined : { ...rest, ...validators };
}
