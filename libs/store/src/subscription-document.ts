import { Schema } from 'mongoose';
import type { FetchReport, Subscription } from '#core';
import { hostOf } from '#core';
import { feedKeyOf } from './feed-key.ts';
import { keyOf } from './key.ts';
import { schemaOptions } from './schema-options.ts';

/**
 * `failed`, or `slow` by the cause of the last fetch, as long as `failures` are above 0, which an index can't
 * say in order of `_id`.
 */
export type SubscriptionResult = 'succeeded' | 'failed' | 'slow';

/** A subscription as MongoDB keeps it; `_id` is `<collection>/<id>`. */
export interface SubscriptionDocument extends Subscription {
  _id: string;
  /** When the lease of `manifest` ends, by the server's clock; absent if there is none. */
  leasedUntil?: Date;
  /** As `hostOf`. */
  host: string;
  /** As `feedKeyOf` or `furtherFeedKeyOf`. */
  feedKey: string;
  /** What the last fetch came to; absent until one has succeeded or failed. */
  result?: SubscriptionResult;
  /** The last refresh that was requested since a fetch began or ended with a lease; each is another text. */
  refresh?: string;
}

export const subscriptionSchema = new Schema<SubscriptionDocument>(
  {
    _id: { type: String, required: true },
    collection: { type: String, required: true },
    id: { type: String, required: true },
    url: { type: String, required: true },
    status: { type: String, required: true },
    interval: { type: Schema.Types.Mixed, required: true },
    adopt: Boolean,
    adoptedAs: String,
    discover: Boolean,
    discoveredOn: String,
    cursor: { type: Schema.Types.Mixed, required: true },
    cursorVersion: { type: Number, required: true },
    nextFetchAt: { type: Date, required: true },
    nextFetchReason: String,
    stated: Schema.Types.Mixed,
    rhythm: Schema.Types.Mixed,
    failures: { type: Number, required: true },
    isSlow: Boolean,
    last: Schema.Types.Mixed,
    succeededAt: Date,
    result: String,
    feed: Schema.Types.Mixed,
    manifest: String,
    seal: Schema.Types.Mixed,
    progress: Schema.Types.Mixed,
    userAgent: String,
    acceptLanguage: String,
    credentials: Schema.Types.Mixed,
    move: Schema.Types.Mixed,
    hub: Schema.Types.Mixed,
    leasedUntil: Date,
    host: { type: String, required: true },
    feedKey: { type: String, required: true },
    refresh: String,
    createdAt: { type: Date, required: true },
  },
  { ...schemaOptions, suppressReservedKeysWarning: true },
);
const active = { partialFilterExpression: { status: 'active' } };
// What is due is listed in the index alone.
subscriptionSchema.index({ nextFetchAt: 1, host: 1, leasedUntil: 1, isSlow: 1, status: 1, _id: 1 }, active);
subscriptionSchema.index({ host: 1, nextFetchAt: 1 }, active);
subscriptionSchema.index({ feedKey: 1 }, { unique: true, sparse: true });
// How many read a URL is counted in the index.
subscriptionSchema.index({ url: 1, status: 1 });
// Those in a state are counted, and listed in their order, in the index.
subscriptionSchema.index({ status: 1, result: 1, _id: 1 });
// Those of several collections are counted by state in the index.
subscriptionSchema.index({ collection: 1, status: 1, result: 1, isSlow: 1 });
// The result is counted in the index.
subscriptionSchema.index(
  { isSlow: 1, status: 1, _id: 1, result: 1 },
  { partialFilterExpression: { isSlow: true } },
);
subscriptionSchema.index(
  { 'last.cause': 1, status: 1, _id: 1 },
  { partialFilterExpression: { 'last.cause': { $gt: '' } } },
);
// Those that the heads of feeds are composed from.
subscriptionSchema.index(
  { collection: 1, _id: 1 },
  { partialFilterExpression: { 'feed.markup.0': { $exists: true } } },
);
// Those whose credentials may have to be encrypted under another key.
subscriptionSchema.index(
  { 'credentials.key': 1 },
  { partialFilterExpression: { 'credentials.key': { $exists: true } } },
);

/** What the port does not speak of, but for what a fetch finds. */
export const internalButFound = { leasedUntil: 0, host: 0, feedKey: 0, result: 0 } as const;
/** What the port does not speak of, but for the key by which a row is found. */
export const internalButKey = { ...internalButFound, refresh: 0 } as const;
/** What the port does not speak of. */
export const internalFields = { _id: 0, ...internalButKey } as const;

/** A condition that no manifest has a lease which still runs; a missing time is less than any. */
export const unleased = { $expr: { $lte: ['$leasedUntil', '$$NOW'] } };

/** The row of a new subscription. */
export function rowOf(subscription: Subscription): SubscriptionDocument {
  const { collection, id, url } = subscription;
  const result = resultOf(subscription);
  return {
    _id: keyOf(collection, id),
    ...subscription,
    host: hostOf(url),
    feedKey: feedKeyOf(subscription),
    ...(result && { result }),
  };
}

/** What a fetch came to. */
export function resultOfReport({ outcome, cause }: FetchReport): SubscriptionResult {
  if (outcome === 'fetched' || outcome === 'not-modified') return 'succeeded';
  return cause === 'slow' ? 'slow' : 'failed';
}

function resultOf({ failures, last, succeededAt }: Subscription): SubscriptionResult | undefined {
  if (failures > 0) return last === undefined ? 'failed' : resultOfReport(last);
  return succeededAt === undefined ? undefined : 'succeeded';
}

/** The subscription that a row stands for; its row may have been read for others, too. */
export function toSubscription({
  _id: _row,
  feedKey: _feed,
  ...subscription
}: SubscriptionDocument): Subscription {
  return subscription;
}
