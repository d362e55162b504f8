import { FeedError } from '#xml';
import type { Fragment, Violation } from '#xml';
import { itemLetterId } from '#core';
import type { DeadLetter, Subscription } from '#core';
import { DistinctItems } from './distinct-items.ts';
import type { FetchPorts } from './fetch-ports.ts';

/** How many items of one fetch get a dead letter each. */
const maximumLetters = 10_000;

/** How many letters are written in one go. */
const writtenTogether = 200;

/** The items of one fetch that pass a limit of the fetcher, on their way to the dead letters. */
export class RefusedItems {
  readonly #found = new DistinctItems();
  readonly #subscription: Pick<Subscription, 'collection' | 'id'>;
  readonly #refused: Fragment[] = [];

  constructor(subscription: Pick<Subscription, 'collection' | 'id'>) {
    this.#subscription = subscription;
  }

  /** How many different ones there are. */
  get count(): number {
    return this.#found.count;
  }

  /** Takes items in the order of the feed; returns those that pass no limit. */
  take(fragments: readonly Fragment[]): readonly Fragment[] {
    const refused = fragments.filter(({ refusal }) => refusal !== undefined);
    if (refused.length === 0) return fragments;
    const found = refused.filter(({ refusal }) => refusal && this.#found.add(refusal.digest));
    this.#refused.push(...found.slice(0, maximumLetters - this.#refused.length));
    return fragments.filter(({ refusal }) => refusal === undefined);
  }

  /** Forgets them: the document is read again. */
  restart(): void {
    this.#found.clear();
    this.#refused.length = 0;
  }

  /**
   * Throws the `FeedError` of an item that would be lost: one without a dead letter, or, if whatever the feed
   * does not have is discarded, one whose id is not known.
   */
  assertKept(isResync: boolean): void {
    const nameless = isResync ? this.#refused.find(({ id }) => id === undefined) : undefined;
    const lost = this.count > maximumLetters ? this.#refused.at(-1) : nameless;
    if (lost?.refusal) throw new FeedError(lost.refusal.violation);
  }

  /** A warning if there are too many for a letter each. */
  get violations(): readonly Violation[] {
    const { line, column } = this.#refused.at(-1) ?? { line: 1, column: 1 };
    const message =
      `${this.count} items pass a limit and are left out; the first ${maximumLetters} of them are in the ` +
      'dead letters.';
    return this.count <= maximumLetters
      ? []
      : [{ rule: 'limit-refused-items', section: 'limits', severity: 'warning', message, line, column }];
  }

  /**
   * Writes the dead letters, each once however often its item is fetched.
   * @param heartbeat called from time to time
   */
  async store(
    { store: { deadLetters }, clock }: Pick<FetchPorts, 'store' | 'clock'>,
    heartbeat: () => Promise<void>,
  ): Promise<void> {
    for (let start = 0; start < this.#refused.length; start += writtenTogether) {
      const letters = this.#refused.slice(start, start + writtenTogether);
      await deadLetters.add(letters.flatMap((item) => this.#letterOf(item, clock.now())));
      await heartbeat();
    }
  }

  #letterOf({ refusal, ...fragment }: Fragment, at: Date): readonly DeadLetter[] {
    if (refusal === undefined) return [];
    const { collection, id: subscription } = this.#subscription;
    const id = itemLetterId(collection, subscription, refusal.digest);
    const { violation } = refusal;
    const letter = { id, collection, subscription, fragment, violations: [violation], at };
    return [{ ...letter, kind: 'item', isPartial: true }];
  }
}
