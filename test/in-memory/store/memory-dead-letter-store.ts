import { storableLetter, subscriptionId } from '#core';
import type { CollectionKey, DeadLetter, DeadLetterStore, RejectedItems, SubscriptionId } from '#core';
import { byCodePoint } from './code-point-order.ts';
import type { Records } from './records.ts';
import { follows } from './records.ts';

/** Dead letters in memory. */
export class MemoryDeadLetterStore implements DeadLetterStore {
  readonly #letters: Records<DeadLetter>;

  constructor(letters: Records<DeadLetter>) {
    this.#letters = letters;
  }

  async add(letters: readonly DeadLetter[]): Promise<void> {
    for (const letter of letters)
      if (!this.#letters.get(letter.collection, letter.id)) this.#letters.set(storableLetter(letter));
  }

  async list({
    collection,
    rule,
    after,
    limit,
  }: {
    collection?: CollectionKey;
    rule?: string;
    after?: string;
    limit: number;
  }): Promise<DeadLetter[]> {
    return this.#letters.select({
      where: (letter) =>
        (collection === undefined || letter.collection === collection) &&
        (rule === undefined || isFor(letter, rule)) &&
        follows(letter.id, after),
      limit,
    });
  }

  async rejected(rule: string, collection?: CollectionKey): Promise<RejectedItems[]> {
    const letters = this.#letters.select({
      where: (letter) =>
        isFor(letter, rule) &&
        letter.subscription !== undefined &&
        (collection === undefined || letter.collection === collection),
    });
    const counts = new Map<
      string,
      { collection: CollectionKey; subscription: SubscriptionId; items: number }
    >();
    for (const { collection: key, subscription = subscriptionId('') } of letters) {
      const count = counts.get(`${key}/${subscription}`) ?? { collection: key, subscription, items: 0 };
      counts.set(`${key}/${subscription}`, { ...count, items: count.items + 1 });
    }
    return [...counts.values()].sort(
      (one, other) =>
        byCodePoint(one.collection, other.collection) || byCodePoint(one.subscription, other.subscription),
    );
  }

  async find(id: string): Promise<DeadLetter | undefined> {
    return this.#letters.select({ where: (letter) => letter.id === id, limit: 1 })[0];
  }

  async remove(id: string): Promise<boolean> {
    const letter = await this.find(id);
    return letter !== undefined && this.#letters.delete(letter.collection, id);
  }
}

function isFor({ violations }: DeadLetter, rule: string): boolean {
  return violations.some((violation) => violation.rule === rule);
}
