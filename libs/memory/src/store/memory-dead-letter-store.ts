import { storableLetter } from '#ports';
import type { DeadLetter, DeadLetterStore } from '#ports';
import type { Records } from './records.ts';
import { follows } from './records.ts';

/** Dead letters in memory. */
export class MemoryDeadLetterStore implements DeadLetterStore {
  readonly #letters: Records<DeadLetter>;

  constructor(letters: Records<DeadLetter>) {
    this.#letters = letters;
  }

  async add(letters: readonly DeadLetter[]): Promise<void> {
    for (const letter of letters) if (!this.#letters.get(letter.collection, letter.id)) this.#letters.set(storableLetter(letter));
  }

  async list({ collection, after, limit }: { collection?: string; after?: string; limit: number }): Promise<DeadLetter[]> {
    return this.#letters.select({ where: (letter) => (collection === undefined || letter.collection === collection) && follows(letter.id, after), limit });
  }

  async find(id: string): Promise<DeadLetter | undefined> {
    return this.#letters.select({ where: (letter) => letter.id === id, limit: 1 })[0];
  }

  async remove(id: string): Promise<boolean> {
    const letter = await this.find(id);
    return letter !== undefined && this.#letters.delete(letter.collection, id);
  }
}
