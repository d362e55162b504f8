import { isDeepStrictEqual } from 'node:util';
import type {
  Clock,
  Collection,
  CollectionKey,
  CollectionSettings,
  CollectionStore,
  Lease,
  LeasedCollection,
  Publication,
} from '#core';
import { byCodePoint } from './code-point-order.ts';
import { follows } from './records.ts';

/** What a collection has elsewhere in the store. */
export interface Contents {
  /** The highest sequence in the collection's log; 0 if it is empty. */
  lastSequence(collection: CollectionKey): number;
  removeLog(collection: CollectionKey): void;
  remove(collection: CollectionKey): void;
}

interface Entry {
  readonly collection: Collection;
  readonly holder: string;
  readonly epoch: number;
  /** By the clock, in milliseconds. */
  readonly leasedUntil: number;
  /** The epoch of a holder that is yet to release it; 0 if one abandoned it. */
  readonly unfinished?: number;
  readonly purgeAt?: Date;
}

/** Collections in memory, and the leases to publish them. */
export class MemoryCollectionStore implements CollectionStore {
  readonly #entries = new Map<string, Entry>();
  /** What must outlive a removed collection, so that its numbers are never given again. */
  readonly #retired = new Map<string, { readonly sequence: number; readonly epoch: number }>();
  readonly #contents: Contents;
  readonly #clock: Pick<Clock, 'now'>;

  constructor(contents: Contents, clock: Pick<Clock, 'now'>) {
    this.#contents = contents;
    this.#clock = clock;
  }

  async create(collection: Collection): Promise<boolean> {
    if (this.#entries.has(collection.key)) return false;
    const { sequence, epoch } = this.#retired.get(collection.key) ?? { sequence: 0, epoch: 0 };
    const publication =
      sequence > collection.publication.sequence
        ? { sequence, since: sequence, relayed: sequence }
        : collection.publication;
    this.#entries.set(collection.key, {
      collection: structuredClone({ ...collection, publication }),
      holder: '',
      epoch,
      leasedUntil: 0,
    });
    return true;
  }

  async find(key: CollectionKey): Promise<Collection | undefined> {
    return structuredClone(this.#entries.get(key)?.collection);
  }

  async beganAfter(key: CollectionKey): Promise<number> {
    return this.#retired.get(key)?.sequence ?? 0;
  }

  async sequences(keys: readonly CollectionKey[]): Promise<Map<CollectionKey, number>> {
    const entries = keys.flatMap((key) => this.#entries.get(key) ?? []);
    return new Map(entries.map(({ collection: { key, publication } }) => [key, publication.sequence]));
  }

  async setPublic(key: CollectionKey, isPublic: boolean): Promise<boolean> {
    const entry = this.#entries.get(key);
    if (!entry) return false;
    this.#entries.set(key, { ...entry, collection: { ...entry.collection, isPublic } });
    return true;
  }

  /** Counts a change of a subscription; nothing if there is no such collection. */
  countSubscriptionChange(name: CollectionKey): void {
    const entry = this.#entries.get(name);
    if (!entry) return;
    const subscriptionsRevision = (entry.collection.subscriptionsRevision ?? 0) + 1;
    this.#entries.set(name, { ...entry, collection: { ...entry.collection, subscriptionsRevision } });
  }

  async list({ after, limit }: { after?: string; limit: number }): Promise<Collection[]> {
    const names = [...this.#entries.keys()]
      .filter((key) => follows(key, after))
      .sort(byCodePoint)
      .slice(0, limit);
    return structuredClone(names.flatMap((key) => this.#entries.get(key)?.collection ?? []));
  }

  async update(
    key: CollectionKey,
    { title, settings }: { title: string; settings: CollectionSettings },
  ): Promise<boolean> {
    const entry = this.#entries.get(key);
    if (!entry) return false;
    this.#entries.set(key, {
      ...entry,
      collection: { ...entry.collection, title, settings: structuredClone(settings) },
      purgeAt: new Date(0),
    });
    return true;
  }

  async renewEndpoint(key: CollectionKey, former: string, endpoint: string): Promise<boolean> {
    const entry = this.#entries.get(key);
    if (entry?.collection.endpoint !== former) return false;
    const retiredEndpoints = [...(entry.collection.retiredEndpoints ?? []), former];
    this.#entries.set(key, { ...entry, collection: { ...entry.collection, endpoint, retiredEndpoints } });
    return true;
  }

  async restart(
    key: CollectionKey,
    former: string,
    endpoint: string,
    ahead: number,
  ): Promise<number | undefined> {
    const entry = this.#entries.get(key);
    if (entry?.collection.endpoint !== former) return undefined;
    const sequence =
      Math.max(entry.collection.publication.sequence, this.#contents.lastSequence(key)) + ahead;
    this.#contents.removeLog(key);
    const { unfinished: _unfinished, collection, ...rest } = entry;
    const publication = { ...collection.publication, sequence, since: sequence, relayed: sequence };
    this.#entries.set(key, {
      ...rest,
      collection: { ...collection, publication },
      holder: '',
      epoch: rest.epoch + 1,
      leasedUntil: 0,
    });
    await this.renewEndpoint(key, former, endpoint);
    return sequence;
  }

  async remove(key: CollectionKey): Promise<boolean> {
    const entry = this.#entries.get(key);
    const last = this.#contents.lastSequence(key);
    if (entry)
      this.#retired.set(key, {
        sequence: Math.max(entry.collection.publication.sequence, last),
        epoch: entry.epoch + 1,
      });
    this.#contents.remove(key);
    return this.#entries.delete(key);
  }

  /** Here a collection is removed with all that it has. */
  async continueRemoval(): Promise<boolean> {
    return true;
  }

  async isBeingRemoved(): Promise<boolean> {
    return false;
  }

  async removals(): Promise<CollectionKey[]> {
    return [];
  }

  async lease(key: CollectionKey, holder: string, duration: number): Promise<Lease | undefined> {
    return (await this.take(key, holder, duration))?.lease;
  }

  async take(key: CollectionKey, holder: string, duration: number): Promise<LeasedCollection | undefined> {
    const entry = this.#entries.get(key);
    const now = this.#clock.now().getTime();
    if (!entry) return undefined;
    const runs = entry.leasedUntil > now;
    if (runs && entry.holder !== holder) return undefined;
    const epoch = runs ? entry.epoch : entry.epoch + 1;
    const leasedUntil = now + duration;
    this.#entries.set(key, { ...entry, holder, epoch, leasedUntil, ...(!runs && { unfinished: epoch }) });
    return { lease: { collection: key, epoch }, collection: structuredClone(entry.collection) };
  }

  async vacant(key: CollectionKey): Promise<LeasedCollection | undefined> {
    const entry = this.#entries.get(key);
    if (entry === undefined || entry.unfinished !== undefined || entry.leasedUntil > 0) return undefined;
    return {
      lease: { collection: key, epoch: entry.epoch + 1 },
      collection: structuredClone(entry.collection),
    };
  }

  async takeVacant(
    { lease: { collection: key, epoch }, collection }: LeasedCollection,
    holder: string,
    duration: number,
  ): Promise<boolean> {
    const entry = this.#entries.get(key);
    const isVacant =
      entry?.epoch === epoch - 1 &&
      entry.unfinished === undefined &&
      entry.leasedUntil === 0 &&
      entry.collection.endpoint === collection.endpoint &&
      isDeepStrictEqual(entry.collection.settings, collection.settings);
    return isVacant && (await this.take(key, holder, duration)) !== undefined;
  }

  async interrupted(): Promise<CollectionKey[]> {
    const now = this.#clock.now().getTime();
    return [...this.#entries.values()]
      .filter(({ unfinished, leasedUntil }) => unfinished !== undefined && leasedUntil <= now)
      .map(({ collection }) => collection.key);
  }

  async unrelayed(): Promise<CollectionKey[]> {
    const entries = [...this.#entries.values()].filter(
      ({ collection: { key, publication } }) =>
        publication.relayed < Math.max(publication.sequence, this.#contents.lastSequence(key)),
    );
    return entries.map(({ collection }) => collection.key);
  }

  async release(lease: Lease, publication?: Publication): Promise<void> {
    const { collection, epoch } = lease;
    if (publication !== undefined) await this.advance(lease, publication);
    const entry = this.#entries.get(collection);
    if (entry?.epoch !== epoch) return;
    const { unfinished, ...rest } = entry;
    const isAbandoned = unfinished !== undefined && unfinished !== epoch;
    this.#entries.set(collection, { ...rest, leasedUntil: 0, ...(isAbandoned && { unfinished }) });
  }

  async abandon({ collection, epoch }: Lease): Promise<void> {
    const entry = this.#entries.get(collection);
    if (!entry) return;
    const leasedUntil = entry.epoch === epoch ? 0 : entry.leasedUntil;
    this.#entries.set(collection, { ...entry, leasedUntil, unfinished: 0 });
  }

  async advance({ collection, epoch }: Lease, publication: Publication, purgeAt?: Date): Promise<boolean> {
    const entry = this.#entries.get(collection);
    if (entry?.epoch !== epoch) return false;
    const since = Math.max(publication.since, entry.collection.publication.since);
    this.#entries.set(collection, {
      ...entry,
      collection: { ...entry.collection, publication: structuredClone({ ...publication, since }) },
      ...(purgeAt && (entry.purgeAt === undefined || purgeAt < entry.purgeAt) && { purgeAt }),
    });
    return true;
  }

  async raiseSince(key: CollectionKey, sequence: number): Promise<void> {
    const entry = this.#entries.get(key);
    if (!entry) return;
    const { publication } = entry.collection;
    this.#entries.set(key, {
      ...entry,
      collection: {
        ...entry.collection,
        publication: { ...publication, since: Math.max(publication.since, sequence) },
      },
    });
  }

  async *duePurges(now: Date, limit: number): AsyncGenerator<readonly Collection[]> {
    const due = [...this.#entries.values()]
      .flatMap(({ collection, purgeAt }) =>
        purgeAt !== undefined && purgeAt <= now ? [{ key: collection.key, purgeAt }] : [],
      )
      .sort(
        (one, other) => one.purgeAt.getTime() - other.purgeAt.getTime() || byCodePoint(one.key, other.key),
      );
    for (let start = 0; start < due.length; start += limit) {
      const page = due.slice(start, start + limit);
      yield structuredClone(page.flatMap(({ key }) => this.#entries.get(key)?.collection ?? []));
    }
  }

  async postponePurge({ key, settings, publication }: Collection, until?: Date): Promise<void> {
    const entry = this.#entries.get(key);
    if (!entry) return;
    const isAsItWas =
      entry.unfinished === undefined &&
      isDeepStrictEqual(entry.collection.settings, structuredClone(settings)) &&
      entry.collection.publication.sequence === publication.sequence;
    const { purgeAt: _purgeAt, ...rest } = entry;
    const purgeAt = isAsItWas ? until : new Date(0);
    this.#entries.set(key, { ...rest, ...(purgeAt && { purgeAt }) });
  }
}
