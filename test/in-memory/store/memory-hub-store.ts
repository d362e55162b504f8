import type { CollectionKey, HubStore, HubSubscription, SubscriptionId } from '#core';
import type { Records } from './records.ts';

export interface HubRecord {
  readonly collection: CollectionKey;
  readonly id: string;
  readonly row: HubSubscription;
}

/** Subscriptions at hubs in memory. */
export class MemoryHubStore implements HubStore {
  readonly #records: Records<HubRecord>;

  constructor(records: Records<HubRecord>) {
    this.#records = records;
  }

  async add(added: HubSubscription): Promise<void> {
    const record = recordOf(added);
    if (!this.#records.get(record.collection, record.id)) this.#records.set(record);
  }

  async find(token: string): Promise<HubSubscription | undefined> {
    return this.#records.select({ where: ({ row }) => row.token === token })[0]?.row;
  }

  async takeDue(now: Date, until: Date): Promise<HubSubscription | undefined> {
    const [due] = this.#records.select({
      where: ({ row }) => row.nextAt <= now,
      order: ({ row }) => row.nextAt.getTime(),
      limit: 1,
    });
    if (due === undefined) return undefined;
    const row = { ...due.row, nextAt: until, revision: due.row.revision + 1 };
    this.#records.set(recordOf(row));
    return row;
  }

  async replace(former: HubSubscription, latter: HubSubscription): Promise<boolean> {
    if (!this.#isCurrent(former)) return false;
    this.#records.set(recordOf({ ...latter, revision: former.revision + 1 }));
    return true;
  }

  async remove(former: HubSubscription): Promise<boolean> {
    const { collection, id } = recordOf(former);
    return this.#isCurrent(former) && this.#records.delete(collection, id);
  }

  async wake(collection: CollectionKey, subscription: SubscriptionId | undefined, now: Date): Promise<void> {
    const woken = this.#records.select({
      where: ({ row }) =>
        row.collection === collection &&
        (subscription === undefined || row.subscription === subscription) &&
        row.nextAt > now,
    });
    for (const { row } of woken)
      this.#records.set(recordOf({ ...row, nextAt: now, revision: row.revision + 1 }));
  }

  async wakeOthers(callbacks: string | undefined, now: Date): Promise<void> {
    const woken = this.#records.select({
      where: ({ row }) =>
        row.pending !== 'unsubscribe' && (callbacks === undefined || row.callback !== callbacks + row.token),
    });
    for (const { row } of woken)
      this.#records.set(recordOf({ ...row, nextAt: now, revision: row.revision + 1 }));
  }

  #isCurrent(former: HubSubscription): boolean {
    const { collection, id } = recordOf(former);
    const row = this.#records.get(collection, id)?.row;
    return row?.token === former.token && row.revision === former.revision;
  }
}

function recordOf(row: HubSubscription): HubRecord {
  const { collection, subscription, hub, topic } = row;
  return { collection, id: JSON.stringify([subscription, hub, topic]), row };
}
