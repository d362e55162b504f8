import type { CaseDocuments } from '../case-file/case-documents.ts';
import type { SyncRound } from './cse-operation.ts';

/** What of a round the publisher goes by. */
type Round = Pick<SyncRound, 'gone' | 'failing'>;

/** A document that a publisher serves, and the round that it is from. */
interface PublishedDocument {
  readonly text: string;
  readonly round: number;
}

/**
 * The publisher of a case: its documents are called `1/PATH`, `2/PATH` … by the rounds, and stay until there
 * is another or they are gone.
 */
export class Publisher {
  readonly #documents: CaseDocuments;
  readonly #rounds: readonly Round[];

  constructor(documents: CaseDocuments, rounds: readonly Round[]) {
    this.#documents = documents;
    this.#rounds = rounds;
  }

  /**
   * What is served in a round, counted from 1; undefined if there is none or it can't be fetched in this
   * round.
   */
  document(path: string, round: number): PublishedDocument | undefined {
    if (this.#rounds[round - 1]?.failing?.includes(path) === true) return undefined;
    for (let from = round; from > 0; from -= 1) {
      if (this.#rounds[from - 1]?.gone?.includes(path) === true) return undefined;
      const name = `${from}/${path}`;
      if (this.#documents.has(name)) return { text: this.#documents.text(name), round: from };
    }
    return undefined;
  }
}
