import { isDeepStrictEqual } from 'node:util';
import type {
  ChangeBlock,
  Collection,
  CollectionKey,
  CollectionSettings,
  CollectionStore,
  Followed,
} from '#core';
import { lastSequenceOf } from '#core';
import { byCodePoint } from './code-point-order.ts';
import { follows } from './records.ts';

/** What a collection has elsewhere in the store. */
export interface Contents {
  /** The highest sequence in the collection's log; 0 if it is empty. */
  lastSequence(collection: CollectionKey): number;
  append(block: ChangeBlock): void;
  /** Records a block on what it publishes. */
  record(block: ChangeBlock): void;
  removeLog(collection: CollectionKey): void;
  remove(collection: CollectionKey): void;
}

interface Entry {
  readonly collection: Collection;
  /** Whether `follow` has not recorded all that was published. */
  readonly isUnfollowed?: true;
  readonly purgeAt?: Date;
}

/** Collections in memory. */
export class MemoryCollectionStore implements CollectionStore {
  readonly #entries = new Map<string, Entry>();
  /** What must outlive a removed collection, so that its numbers are never given again. */
  readonly #retired = new Map<string, number>();
  readonly #contents: Contents;

  constructor(contents: Contents) {
    this.#contents = contents;
  }

  async create(collection: Collection): Promise<boolean> {
    if (this.#entries.has(collection.key)) return false;
    const sequence = this.#retired.get(collection.key) ?? 0;
    const publication =
      sequence > collection.publication.sequence
        ? { sequence, since: sequence, relayed: sequence }
        : collection.publication;
    this.#entries.set(collection.key, {
      collection: structuredClone({ ...collection, publication }),
    });
    return true;
  }

  async find(key: CollectionKey): Promise<Collection | undefined> {
    return this.get(key);
  }

  get(key: CollectionKey): Collection | undefined {
    return structuredClone(this.#entries.get(key)?.collection);
  }

  async beganAfter(key: CollectionKey): Promise<number> {
    return this.#retired.get(key) ?? 0;
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
    const { isUnfollowed: _isUnfollowed, collection, ...rest } = entry;
    const publication = { ...collection.publication, sequence, since: sequence, relayed: sequence };
    this.#entries.set(key, {
      ...rest,
      collection: { ...collection, publication },
    });
    await this.renewEndpoint(key, former, endpoint);
    return sequence;
  }

  async remove(key: CollectionKey): Promise<boolean> {
    const entry = this.#entries.get(key);
    if (entry) this.#retired.set(key, entry.collection.publication.sequence);
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

  async publish(former: Collection, block: ChangeBlock): Promise<boolean> {
    if (!this.isAsItWas(former)) return false;
    this.append(block);
    this.#contents.record(block);
    return true;
  }

  /** Adds a block to the log, and moves the publication. */
  append(block: ChangeBlock): void {
    const entry = this.#entries.get(block.collection);
    if (!entry) return;
    this.#contents.append(block);
    const sequence = lastSequenceOf(block);
    const publication = { ...entry.collection.publication, sequence, updatedAt: block.at };
    const collection = { ...entry.collection, publication };
    this.#entries.set(block.collection, { ...entry, collection, isUnfollowed: true });
  }

  async setPublicationTime(former: Collection, at: Date): Promise<boolean> {
    const entry = this.#entries.get(former.key);
    if (!entry || !this.isAsItWas(former)) return false;
    const publication = { ...entry.collection.publication, updatedAt: at };
    this.#entries.set(former.key, { ...entry, collection: { ...entry.collection, publication } });
    return true;
  }

  /** Whether nobody has published in it, or changed what blocks are composed by. */
  isAsItWas(former: Collection): boolean {
    const collection = this.#entries.get(former.key)?.collection;
    const composedBy = ({ publication: { sequence, updatedAt }, endpoint, settings }: Collection) =>
      structuredClone({ sequence, updatedAt, endpoint, settings });
    return collection !== undefined && isDeepStrictEqual(composedBy(collection), composedBy(former));
  }

  async unfollowed(): Promise<CollectionKey[]> {
    const entries = [...this.#entries.values()].filter(({ isUnfollowed }) => isUnfollowed === true);
    return entries.map(({ collection }) => collection.key);
  }

  async follow(key: CollectionKey, { relayed, since }: Followed, purgeAt?: Date): Promise<void> {
    const entry = this.#entries.get(key);
    if (!entry) return;
    const { publication } = entry.collection;
    const { isUnfollowed: _isUnfollowed, ...rest } = entry;
    const followed = {
      ...publication,
      relayed: Math.max(publication.relayed, relayed),
      since: Math.max(publication.since, since),
    };
    this.#entries.set(key, {
      ...(relayed >= publication.sequence ? rest : entry),
      collection: { ...entry.collection, publication: followed },
      ...(purgeAt && (entry.purgeAt === undefined || purgeAt < entry.purgeAt) && { purgeAt }),
    });
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
      entry.isUnfollowed === undefined &&
      isDeepStrictEqual(entry.collection.settings, structuredClone(settings)) &&
      entry.collection.publication.sequence === publication.sequence;
    const { purgeAt: _purgeAt, ...rest } = entry;
    const purgeAt = isAsItWas ? until : new Date(0);
    this.#entries.set(key, { ...rest, ...(purgeAt && { purgeAt }) });
  }
}
