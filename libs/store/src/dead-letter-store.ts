import type { Model } from 'mongoose';
import { storableLetter } from '#core';
import type { CollectionKey, DeadLetter, DeadLetterStore, RejectedItems } from '#core';
import type { DeadLetterDocument } from './dead-letter-document.ts';
import { toDeadLetter } from './dead-letter-document.ts';
import { keyOf, keysOf } from './key.ts';

/** Dead letters in MongoDB. */
export class MongoDeadLetterStore implements DeadLetterStore {
  readonly #letters: Model<DeadLetterDocument>;

  constructor(letters: Model<DeadLetterDocument>) {
    this.#letters = letters;
  }

  async add(letters: readonly DeadLetter[]): Promise<void> {
    if (letters.length === 0) return;
    await this.#letters.bulkWrite(
      letters
        .map((letter) => storableLetter(letter))
        .map(({ command, ...rest }) => ({
          updateOne: {
            filter: { _id: keyOf(rest.collection, rest.id) },
            update: { $setOnInsert: { ...rest, ...(command && { command: JSON.stringify(command) }) } },
            upsert: true,
          },
        })),
    );
  }

  async list(page: {
    collection?: CollectionKey;
    rule?: string;
    after?: string;
    limit: number;
  }): Promise<DeadLetter[]> {
    const rule = page.rule === undefined ? {} : { 'violations.rule': page.rule };
    const query =
      page.collection === undefined
        ? this.#letters.find({ id: { $gt: page.after ?? '' }, ...rule }).sort({ id: 1 })
        : this.#letters.find({ _id: keysOf(page.collection, page.after), ...rule }).sort({ _id: 1 });
    return (await query.limit(page.limit).lean<DeadLetterDocument[]>()).map(toDeadLetter);
  }

  async rejected(rule: string, collection?: CollectionKey): Promise<RejectedItems[]> {
    return this.#letters.aggregate<RejectedItems>([
      {
        $match: {
          'violations.rule': rule,
          subscription: { $exists: true },
          ...(collection !== undefined && { collection }),
        },
      },
      { $group: { _id: { collection: '$collection', subscription: '$subscription' }, items: { $sum: 1 } } },
      { $sort: { _id: 1 } },
      { $project: { _id: 0, collection: '$_id.collection', subscription: '$_id.subscription', items: 1 } },
    ]);
  }

  async find(id: string): Promise<DeadLetter | undefined> {
    const document = await this.#letters.findOne({ id }).lean<DeadLetterDocument>();
    return document === null ? undefined : toDeadLetter(document);
  }

  async remove(id: string): Promise<boolean> {
    const { deletedCount } = await this.#letters.deleteOne({ id });
    return deletedCount === 1;
  }
}
