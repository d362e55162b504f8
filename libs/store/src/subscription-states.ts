import type { mongo } from 'mongoose';
import { noSubscriptions } from '#core';
import type { CollectionKey, SubscriptionState } from '#core';
import type { SubscriptionDocument, SubscriptionResult } from './subscription-document.ts';
import { lateSince, stateOf } from './subscription-search.ts';

type States = Record<SubscriptionState, number>;

/** How many rows of one collection have a status, result and slowness. */
interface CountedTogether {
  readonly _id: {
    readonly collection: CollectionKey;
    readonly status: string;
    readonly result: SubscriptionResult | null;
    readonly isSlow: boolean;
  };
  readonly count: number;
}

/** Counts what `SubscriptionStore.states` returns: those that are not late in an index. */
export async function statesOf(
  rows: mongo.Collection<SubscriptionDocument>,
  collections: readonly CollectionKey[],
  lateBefore: Date,
): Promise<Map<CollectionKey, States>> {
  const collection = { $in: [...collections] };
  const count = { $sum: 1 };
  const result = { $ifNull: ['$result', null] };
  const isSlow = { $eq: ['$isSlow', true] };
  const [standings, late] = await Promise.all([
    rows
      .aggregate<CountedTogether>(
        [
          { $match: { collection } },
          {
            $group: { _id: { collection: '$collection', status: '$status', result, isSlow }, count },
          },
        ],
        { hint: { collection: 1, status: 1, result: 1, isSlow: 1 } },
      )
      .toArray(),
    rows
      .aggregate<{ _id: { collection: CollectionKey; result: SubscriptionResult | null }; count: number }>([
        { $match: { ...lateSince(lateBefore), collection } },
        { $group: { _id: { collection: '$collection', result }, count } },
      ])
      .toArray(),
  ]);
  const counts = new Map<CollectionKey, States>();
  for (const { _id, count: found } of standings) {
    const states = counts.get(_id.collection) ?? { ...noSubscriptions };
    counts.set(_id.collection, states);
    states[standingState(_id)] += found;
  }
  for (const { _id, count: found } of late) move(counts.get(_id.collection), stateOf(_id.result), found);
  return counts;
}

/** The state of a row that is not late. */
function standingState({ status, result, isSlow }: CountedTogether['_id']): SubscriptionState {
  if (status !== 'active') return status as SubscriptionState;
  return isSlow && result !== 'failed' ? 'slow' : stateOf(result);
}

/** Counts rows as late that were counted in another state; between two counts a row may have changed. */
function move(states: States | undefined, former: SubscriptionState, count: number): void {
  if (states === undefined) return;
  const moved = Math.min(count, states[former]);
  states[former] -= moved;
  states.late += moved;
}
