import type { mongo } from 'mongoose';
import type { CollectionKey, Subscription, SubscriptionId } from '#core';
import { feedKeyOf, feedKeysOf } from './feed-key.ts';
import { JoinedReads } from './joined-reads.ts';
import { keyOf } from './key.ts';
import { internalButKey, toSubscription } from './subscription-document.ts';
import type { SubscriptionDocument } from './subscription-document.ts';

/** What is looked for: the subscription with an id, and those to a feed. */
type Wanted = [collection: CollectionKey, id: SubscriptionId, url: string];

/** What was found for a `Wanted`, as JSON. */
interface Match {
  readonly _id: string;
  readonly found: readonly Subscription[];
}

/** Finds the subscription with an id, and those that read a feed; what comes together shares a query. */
export class SubscriptionMatches {
  readonly #rows: mongo.Collection<SubscriptionDocument>;
  readonly #reads: JoinedReads<string, Match>;

  constructor(rows: mongo.Collection<SubscriptionDocument>) {
    this.#rows = rows;
    this.#reads = new JoinedReads((keys) => this.#all(keys));
  }

  /** Returns the one of `collection` with this id, if there is one, and those of it that read this feed. */
  async read(collection: CollectionKey, id: SubscriptionId, url: string): Promise<Subscription[]> {
    const wanted = JSON.stringify([collection, id, url] satisfies Wanted);
    return [...((await this.#reads.read(wanted))?.found ?? [])];
  }

  /** Each request gets the row with its id and those of its feed. */
  async #all(keys: readonly string[]): Promise<Match[]> {
    const wanted = keys.map((key) => JSON.parse(key) as Wanted);
    const rows = await this.#rows
      .find(
        {
          $or: [
            { _id: { $in: wanted.map(([collection, id]) => keyOf(collection, id)) } },
            { feedKey: { $in: wanted.flatMap(([collection, , url]) => feedKeysOf({ collection, url })) } },
          ],
        },
        { projection: internalButKey },
      )
      .toArray();
    const byId = new Map(rows.map((row) => [row._id, row]));
    const byFeed = new Map<string, SubscriptionDocument[]>();
    for (const row of rows) byFeed.set(feedKeyOf(row), [...(byFeed.get(feedKeyOf(row)) ?? []), row]);
    return keys.map((key, place) => {
      const [collection, id, url] = wanted[place] as Wanted;
      const own = byId.get(keyOf(collection, id));
      const readers = byFeed.get(feedKeyOf({ collection, url })) ?? [];
      const found = new Set([...(own ? [own] : []), ...readers]);
      return { _id: key, found: [...found].map(toSubscription) };
    });
  }
}
