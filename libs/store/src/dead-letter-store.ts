import type { Model } from 'mongoose';
import { storableLetter } from '#ports';
import type { DeadLetter, DeadLetterStore } from '#ports';
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
      letters.map((letter) => storableLetter(letter)).map(({ command, ...rest }) => ({
        updateOne: {
          filter: { _id: keyOf(rest.collection, rest.id) },
          update: { $setOnInsert: { ...rest, ...(command && { command: JSON.stringify(command) }) } },
          upsert: true,
        },
      })),
    );
  }

  async list(page: { collection?: string; after?: string; limit: number }): Promise<DeadLetter[]> {
    const query =
      page.collection === undefined
        ? this.#letters.find({ id: { $gt: page.after ?? '' } }).sort({ id: 1 })
        : this.#letters.find({ _id: keysOf(page.collection, page.after) }).sort({ _id: 1 });
    return (await query.limit(page.limit).lean<DeadLetterDocument[]>()).map(toDeadLetter);
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
