import { FeedError } from '#xml';
import type { FeedHead, Fragment } from '#xml';
import type { Adoption } from '#protocol';

/** How the items of a feed without synchronisation data are taken in. */
interface AdoptionTerms {
  readonly adoption: Pick<Adoption, 'adopt'>;
  /** The endpoint identifier that stands for the feed. */
  readonly endpoint: string;
  /** Whether they are adopted although the feed says that it is synchronised. */
  readonly always: boolean;
  /** How many characters (UTF-16) of them are held. */
  readonly limit: number;
}

/**
 * Holds the items of a document that have no synchronisation data until its end, when it is known whether the
 * feed is synchronised, and which identifiers it has twice.
 */
export class PlainItems {
  /** Whether an item has had synchronisation data. */
  hasSynchronised = false;
  readonly #terms: AdoptionTerms;
  #held: Fragment[] = [];
  #length = 0;
  /** Whether there were too many to be held in a feed that has others, so that they are left out. */
  #isLeftOut = false;

  constructor(terms: AdoptionTerms) {
    this.#terms = terms;
  }

  /**
   * Takes items in the order of the document; returns those to be handed on at once.
   * @throws FeedError of rule `limit-adopted-length` for more than can be held
   */
  take(fragments: readonly Fragment[]): readonly Fragment[] {
    const handedOn: Fragment[] = [];
    for (const fragment of fragments) {
      if (fragment.id !== undefined) this.hasSynchronised = true;
      if (fragment.id !== undefined || this.#isLeftOut) handedOn.push(fragment);
      else this.#hold(fragment);
    }
    if (!this.#isLeftOut || this.#held.length === 0) return handedOn;
    return [...this.#release(), ...handedOn];
  }

  /** Ends the document whose head this is; returns what it held, adopted if that is wanted. */
  end(head: FeedHead): readonly Fragment[] {
    const held = this.#release();
    const { adoption, endpoint, always } = this.#terms;
    if (this.#isLeftOut || (head.sharing !== undefined && !always)) return held;
    const { adopted, left } = adoption.adopt(held, head, endpoint);
    return [...adopted, ...left];
  }

  /** Whether it holds items, the first of which has an identity: a feed that is what it seems. */
  hasItems(): boolean {
    const { adoption, endpoint } = this.#terms;
    return (
      this.#isLeftOut || adoption.adopt(this.#held.slice(0, 1), { children: [] }, endpoint).adopted.length > 0
    );
  }

  /** Forgets what was held: the document is read once more. */
  restart(): void {
    this.#release();
  }

  #hold(fragment: Fragment): void {
    this.#held.push(fragment);
    this.#length += fragment.xml.length;
    if (this.#length <= this.#terms.limit) return;
    if (!this.hasSynchronised || this.#terms.always)
      throw new FeedError({
        rule: 'limit-adopted-length',
        section: 'limits',
        message:
          'The items of the feed without synchronisation data are together longer than ' +
          `${this.#terms.limit} characters; a feed to be adopted is shorter (FETCH_ADOPTED_LENGTH).`,
        line: fragment.line,
        column: fragment.column,
      });
    this.#isLeftOut = true;
  }

  #release(): readonly Fragment[] {
    const held = this.#held;
    this.#held = [];
    this.#length = 0;
    return held;
  }
}
