import type { mongo } from 'mongoose';
import { collectionKey, noSubscriptions } from '#core';
import type { CollectionKey, SubscriptionCounts, SubscriptionFilter, SubscriptionState } from '#core';
import { chunkLength } from './chunk.ts';
import { keysOf } from './key.ts';
import type { SubscriptionDocument, SubscriptionResult } from './subscription-document.ts';

type Rows = mongo.Collection<SubscriptionDocument>;
type Condition = mongo.Filter<SubscriptionDocument>;

/** The condition of each state, as `subscriptionState` decides. */
function inState(state: SubscriptionState, lateBefore: Date): Condition {
  const inTime: Condition = { $or: [{ nextFetchAt: { $gte: lateBefore } }, { manifest: { $exists: true } }] };
  switch (state) {
    case 'ok':
      return { status: 'active', result: 'succeeded', ...isFast, ...inTime };
    case 'new':
      return { status: 'active', result: { $exists: false }, ...isFast, ...inTime };
    case 'slow':
      return { $or: [slowOnes, { status: 'active', result: 'slow' }] };
    case 'late':
      return lateSince(lateBefore);
    case 'failing':
      return { status: 'active', result: 'failed' };
    default:
      return { status: state };
  }
}

const isFast: Condition = { isSlow: { $ne: true } };
/** Those that are slow, and whose last fetch has not failed for another reason. */
const slowOnes: Condition = { status: 'active', isSlow: true, result: { $ne: 'failed' } };

/** A condition on those that have been due since before, are not being fetched, fast, and have not failed. */
export function lateSince(lateBefore: Date): Condition {
  return {
    status: 'active',
    nextFetchAt: { $lt: lateBefore },
    manifest: { $exists: false },
    result: { $nin: ['failed', 'slow'] },
    ...isFast,
  };
}

/**
 * A condition on the rows that a filter is for.
 * @param after `_id` of a row, after which they are
 */
export function matching(
  { collection, state, cause, lateBefore }: SubscriptionFilter,
  after?: string,
): Condition {
  const isAfter = after === undefined ? [] : [{ _id: { $gt: after } }];
  const isOf = collection === undefined ? [] : [{ _id: keysOf(collection) }];
  const conditions: Condition[] = [
    ...isOf,
    ...isAfter,
    ...(state === undefined ? [] : [inState(state, lateBefore)]),
    ...(cause === undefined ? [] : [{ 'last.cause': cause }]),
  ];
  return conditions.length === 0 ? {} : { $and: conditions };
}

interface Standing {
  readonly status: string;
  readonly result: SubscriptionResult | null;
}

/** How many rows have a key, and their state if that does not follow from the key. */
interface Counted<Key> {
  readonly _id: Key;
  readonly count: number;
  readonly state?: 'slow' | 'late';
}

/** Counts rows by state and cause: three aggregations, by indexes, however many rows there are. */
export async function countsOf(
  rows: Rows,
  { collection, lateBefore }: Pick<SubscriptionFilter, 'collection' | 'lateBefore'>,
): Promise<SubscriptionCounts> {
  const scope: Condition = collection === undefined ? {} : { _id: keysOf(collection) };
  const grouped = (condition: Condition, key: unknown): mongo.Document[] => [
    { $match: { ...scope, ...condition } },
    { $group: { _id: key, count: { $sum: 1 } } },
  ];
  const counted = <Key>(pipeline: mongo.Document[], hint?: string): Promise<Counted<Key>[]> =>
    rows.aggregate<Counted<Key>>(pipeline, hint === undefined ? {} : { hint }).toArray();
  const everyStatus: Condition = { status: { $in: ['active', 'paused', 'gone'] } };
  const [standings, others, causes] = await Promise.all([
    counted<Standing>(
      grouped(everyStatus, { status: '$status', result: { $ifNull: ['$result', null] } }),
      'status_1_result_1__id_1',
    ),
    counted<SubscriptionResult | null>([
      ...grouped(slowOnes, '$result'),
      { $set: { state: 'slow' } },
      {
        $unionWith: {
          coll: rows.collectionName,
          pipeline: [...grouped(lateSince(lateBefore), '$result'), { $set: { state: 'late' } }],
        },
      },
    ]),
    counted<string>(grouped({ status: 'active', 'last.cause': { $gt: '' } }, '$last.cause')),
  ]);
  const states = { ...noSubscriptions };
  for (const {
    _id: { status, result },
    count,
  } of standings)
    states[status === 'active' ? stateOf(result) : (status as SubscriptionState)] += count;
  for (const { _id: result, count, state } of others) {
    // Between two counts a row may have changed.
    const former = stateOf(result);
    const moved = Math.min(count, states[former]);
    states[former] -= moved;
    states[state ?? former] += moved;
  }
  return { states, causes: Object.fromEntries(causes.map(({ _id, count }) => [_id, count])) };
}

/** The state of an active row that is in time. */
export function stateOf(result: SubscriptionResult | null): SubscriptionState {
  if (result === null) return 'new';
  if (result === 'slow') return 'slow';
  return result === 'failed' ? 'failing' : 'ok';
}

/**
 * Changes the rows of a status that a filter is for, a chunk at a time, so that no operation takes long.
 * @param changed called for the collections of each chunk, if it is given
 */
export async function changeMatching(
  rows: Rows,
  filter: SubscriptionFilter,
  status: SubscriptionDocument['status'],
  change: mongo.Document[],
  changed?: (collection: CollectionKey) => Promise<void>,
): Promise<number> {
  const condition: Condition = { $and: [{ status }, matching(filter)] };
  const cursor = rows.find(condition, { projection: { _id: 1 }, batchSize: chunkLength });
  let total = 0;
  const changeChunk = async (ids: readonly string[]): Promise<void> => {
    const { matchedCount } = await rows.updateMany({ _id: { $in: ids }, status }, change);
    total += matchedCount;
    const collections = new Set(ids.map((id) => collectionKey(id.slice(0, id.indexOf('/')))));
    if (matchedCount > 0 && changed !== undefined)
      for (const collection of collections) await changed(collection);
  };
  let ids: string[] = [];
  for await (const { _id } of cursor) {
    ids.push(_id);
    if (ids.length < chunkLength) continue;
    await changeChunk(ids);
    ids = [];
  }
  if (ids.length > 0) await changeChunk(ids);
  return total;
}
