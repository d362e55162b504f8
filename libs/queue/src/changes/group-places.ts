import { setMaxListeners } from 'node:events';
import type { ChangeEvent } from '#contracts';
import { CollectionPlace, placeValue } from './collection-place.ts';
import type { ListedCollection } from './change-log.ts';
import { Delivery } from './delivery.ts';
import { begunField } from './group-store.ts';
import type { DeadLetter, GroupRecord, GroupStore } from './group-store.ts';

/** How many events may be delivered and not handled: of all collections together about, and of one. */
const mostOpen = 5_000;
const mostOpenOfOne = 500;

/** The time for which this consumer reads without another one in between. */
interface Tenure {
  readonly waits: AbortController;
  isOver: boolean;
}

function newTenure(): Tenure {
  const waits = new AbortController();
  // Every event that is handled again waits with it.
  setMaxListeners(0, waits.signal);
  return { waits, isOver: false };
}

/** How far a group has come with every collection: in memory, and beside the stream. */
export class GroupPlaces {
  /** Collections whose changes are read from the log until `wanted` is delivered. */
  readonly behind = new Set<string>();
  readonly #store: GroupStore;
  readonly #holder: string;
  readonly #isNewest: boolean;
  readonly #isHeld: () => boolean;
  readonly #failed: (error: unknown) => void;
  readonly #places = new Map<string, CollectionPlace>();
  readonly #busy = new Set<CollectionPlace>();
  readonly #revived = new Map<string, Delivery>();
  #letters = new Map<string, DeadLetter>();
  #tenure = newTenure();
  #hasBegun = false;
  #isFirst = true;
  #isLost = false;

  /**
   * @param holder identifies this consumer among all that ever had its name
   * @param from where a new group begins
   * @param isHeld whether this consumer has the lock
   * @param failed is told why something could not be recorded
   */
  constructor(
    store: GroupStore,
    holder: string,
    from: 'oldest' | 'newest',
    isHeld: () => boolean,
    failed: (error: unknown) => void,
  ) {
    this.#store = store;
    this.#holder = holder;
    this.#isNewest = from === 'newest';
    this.#isHeld = isHeld;
    this.#failed = failed;
  }

  /** Whether another consumer may have taken over, or Redis has lost what it had: begin again. */
  get isLost(): boolean {
    return this.#isLost;
  }

  /** The place of a collection; a collection of which nothing is known has come after the group. */
  of(collection: string): CollectionPlace {
    const known = this.#places.get(collection);
    if (known !== undefined) return known;
    const place = new CollectionPlace(this.#hasBegun ? placeValue(0) : '');
    this.#places.set(collection, place);
    return place;
  }

  /** What is delivered of each collection, and the source of its events, as of now. */
  snapshot(): Map<string, Pick<CollectionPlace, 'delivered' | 'source'>> {
    return new Map([...this.#places].map(([name, { delivered, source }]) => [name, { delivered, source }]));
  }

  /** How many more events of a place may be delivered now. */
  roomOf({ open }: CollectionPlace): number {
    return Math.max(1, Math.min(mostOpenOfOne, Math.floor(mostOpen / this.#busy.size))) - open.size;
  }

  /** Has changes up to a sequence read from the log. */
  want(collection: string, sequence: number): void {
    const place = this.of(collection);
    place.wanted = Math.max(place.wanted, sequence);
    if (place.isBehind) this.behind.add(collection);
  }

  /**
   * Begins to read for the group, or goes on. Where another consumer has read meanwhile, waits until what was
   * delivered before has ended, and goes on from where that one was.
   * @param list lists the collections; absent if there is no log
   * @returns whether another consumer has read meanwhile; undefined if the lock is another consumer's
   */
  async begin(
    list: (() => Promise<ListedCollection[]>) | undefined,
  ): Promise<{ readonly isTakenOver: boolean } | undefined> {
    this.#hasBegun ||= await this.#store.hasBegun();
    // Before the group is created: a new one that begins with what comes next is to miss nothing after this.
    const listed = this.#hasBegun ? undefined : await list?.();
    const isNewest = this.#isFirst && this.#isNewest;
    const begun = await this.#store.begin(isNewest ? '$' : '0');
    if (begun === undefined) return undefined;
    this.#isFirst = this.#isLost = false;
    const isTakenOver = begun.former !== '' && begun.former !== this.#holder;
    if (isTakenOver) await this.forgetOpen();
    for (const [name, text] of begun.places) this.#merge(name, new CollectionPlace(text));
    // Before the places: with them the dead events would not be delivered again.
    await this.#restoreLetters(begun.former === '');
    for (const { name, sequence, createdAt } of listed ?? []) {
      const value = placeValue(isNewest && begun.isNew ? sequence : undefined, createdAt);
      if (!this.#places.has(name)) this.#places.set(name, new CollectionPlace(value));
    }
    await this.#recordMissing(begun.places, listed !== undefined);
    return { isTakenOver };
  }

  /** Marks an event as delivered. Records the first one of a collection, so that its loss is noticed. */
  async deliver(collection: string, event: ChangeEvent, entry?: string): Promise<Delivery> {
    const place = this.of(collection);
    if (place.handled === undefined) {
      place.handled = Number(event.sequence) - 1;
      await this.recordAll([collection]);
    }
    const tenure = this.#tenure;
    const delivery = new Delivery(event, tenure.waits.signal, this.#isHeld, async (ended, letter) =>
      tenure.isOver ? true : this.#settle(collection, place, ended, letter),
    );
    if (entry !== undefined) delivery.entries.add(entry);
    place.delivered = delivery.sequence;
    place.emptyReads = 0;
    place.open.set(delivery.sequence, delivery);
    this.#busy.add(place);
    if (!place.isBehind) this.behind.delete(collection);
    return delivery;
  }

  /** Delivers the dead events that are to be handled again and are not at work already. */
  async *revive(): AsyncGenerator<Delivery, void, undefined> {
    for (const id of await this.#store.toRetry()) {
      const [found] = this.#revived.has(id) ? [] : await this.#store.dead(id, id);
      if (found !== undefined) yield this.#reviveOne(id, JSON.parse(found[1].event) as ChangeEvent);
      else if (!this.#revived.has(id)) await this.#record({ revived: id });
    }
  }

  /** Acknowledges entries that need no delivery. */
  async acknowledge(entries: readonly string[]): Promise<void> {
    if (entries.length > 0) await this.#record({ entries });
  }

  /** Records the places of collections as they are now. */
  async recordAll(collections: readonly string[]): Promise<void> {
    if (collections.length > 0)
      await this.#record({ places: collections.map((name) => [name, this.of(name).value()]) });
  }

  /** Has no further handlers called, and waits until every delivery has ended. */
  async stop(): Promise<void> {
    this.#tenure.waits.abort();
    const open = [...this.#busy].flatMap((place) => [...place.open.values()]);
    await Promise.all([...open, ...this.#revived.values()].map(({ ended }) => ended));
  }

  /** Records the places that Redis does not have, and whether they are of all collections that there are. */
  async #recordMissing(stored: ReadonlyMap<string, string>, isAll: boolean): Promise<void> {
    this.#hasBegun ||= isAll;
    const missing = [...this.#places].filter(([name]) => !stored.has(name));
    const places = missing.map(([name, place]) => [name, place.value()] as const);
    if (this.#hasBegun) places.push([begunField, '1']);
    if (places.length > 0) await this.#record({ places });
  }

  /** Takes the place that Redis has, where it is further. */
  #merge(name: string, stored: CollectionPlace): void {
    const known = this.#places.get(name);
    if (known === undefined) this.#places.set(name, stored);
    else if (known.open.size === 0 && (stored.handled ?? -1) > (known.handled ?? -1)) {
      stored.wanted = known.wanted;
      this.#places.set(name, stored);
    }
  }

  /** Has every delivery end, and leaves those that are not handled to be delivered again. */
  async forgetOpen(): Promise<void> {
    this.#tenure.isOver = true;
    await this.stop();
    for (const place of this.#busy) {
      place.open.clear();
      place.delivered = place.handled;
    }
    this.#busy.clear();
    this.#tenure = newTenure();
  }

  #reviveOne(id: string, event: ChangeEvent): Delivery {
    const settle = async (_delivery: Delivery, letter?: DeadLetter): Promise<boolean> => {
      const isRecorded = await this.#record({ revived: id, ...(letter && { letter }) });
      if (isRecorded) this.#letters.delete(id);
      return isRecorded;
    };
    const delivery = new Delivery(event, this.#tenure.waits.signal, this.#isHeld, settle);
    this.#revived.set(id, delivery);
    void delivery.ended.then(() => this.#revived.delete(id));
    return delivery;
  }

  /** Reads the dead events; those that Redis has forgotten with all the rest are stored again. */
  async #restoreLetters(isForgotten: boolean): Promise<void> {
    const former = this.#letters;
    this.#letters = new Map(await this.#store.dead());
    if (!isForgotten) return;
    for (const [id, letter] of former) if (!this.#letters.has(id)) await this.#record({ letter });
  }

  /** Records that a delivery has ended; returns false if it has not, because its letter is not stored. */
  async #settle(
    collection: string,
    place: CollectionPlace,
    delivery: Delivery,
    letter: DeadLetter | undefined,
  ): Promise<boolean> {
    delivery.hasEnded = true;
    const ended = place.ended();
    const last = ended.at(-1);
    if (last === undefined && letter === undefined) return true;
    const after = last && { sequence: last.sequence, time: last.event.time };
    const isRecorded = await this.#record({
      ...(after && { places: [[collection, place.value(after)]] }),
      entries: ended.flatMap(({ entries }) => [...entries]),
      ...(letter && { letter }),
    });
    if (letter !== undefined && !isRecorded) {
      delivery.hasEnded = false;
      return false;
    }
    for (const { sequence } of ended) place.open.delete(sequence);
    if (place.open.size === 0) this.#busy.delete(place);
    if (after !== undefined && after.sequence > (place.handled ?? 0)) {
      place.handled = after.sequence;
      place.time = after.time;
    }
    return true;
  }

  /** Returns whether it is recorded; if it is lost, the reading begins again. */
  async #record(record: GroupRecord): Promise<boolean> {
    const outcome = await this.#store.record(record).catch((error: unknown) => {
      this.#failed(error);
      return 'lost';
    });
    if (outcome === 'lost') this.#isLost = true;
    else if (outcome === 'full') this.#failed('there are too many dead events: retry or delete some');
    else if (record.letter !== undefined) this.#letters.set(outcome, record.letter);
    return outcome !== 'lost' && outcome !== 'full';
  }
}
