import { createHash } from 'node:crypto';
import type { FeedHead, Fragment } from '#xml';
import type { Adoption } from '#protocol';
import type { BrokenDocument, MendedFeed } from '../mend-feed.ts';
import type { Tolerance } from './read-feed.ts';

/** How long a feed to be adopted may be if nothing else is set: bytes, and characters of items (UTF-16). */
export const adoptedLength = 16_777_216;

/** How many items show whether a feed has items, and how long one is that takes no time. */
const seenItems = 5;
const shortItem = 16_384;

/** How a broken document of the feed is mended. */
interface MendingTerms extends Pick<BrokenDocument, 'synchronisation' | 'itemLength'> {
  readonly mend: (bytes: Uint8Array, document: BrokenDocument) => Promise<MendedFeed>;
}

/** How the items of a feed without synchronisation data are taken in. */
interface AdoptionTerms {
  readonly adoption: Pick<Adoption, 'adopt'>;
  /** The endpoint identifier that stands for the feed. */
  readonly endpoint: string;
  /** Whether they are adopted although the feed says that it is synchronised. */
  readonly always: boolean;
  /** How many characters (UTF-16) of them are held; an item that does not fit is refused. */
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
  #hasRefused = false;

  constructor(terms: AdoptionTerms) {
    this.#terms = terms;
  }

  /**
   * Takes items in the order of the document; returns those to be handed on at once, those among them that
   * are refused.
   */
  take(fragments: readonly Fragment[]): readonly Fragment[] {
    const handedOn: Fragment[] = [];
    for (const fragment of fragments) {
      if (fragment.id !== undefined) this.hasSynchronised = true;
      if (fragment.refusal) this.#hasRefused = true;
      if (fragment.id !== undefined || fragment.refusal || this.#isLeftOut) handedOn.push(fragment);
      else if (this.#fits(fragment)) this.#hold(fragment);
      else handedOn.push(this.#refused(fragment));
    }
    if (!this.#isLeftOut || this.#held.length === 0) return handedOn;
    return [...this.#release(), ...handedOn];
  }

  /** Ends the document whose head this is; returns what it held, and whether that is to be adopted. */
  end({ sharing }: Pick<FeedHead, 'sharing'>): {
    readonly items: readonly Fragment[];
    readonly isAdopted: boolean;
  } {
    const isAdopted = !this.#isLeftOut && (sharing === undefined || this.#terms.always);
    return { items: this.#release(), isAdopted };
  }

  /** Whether it has had items, one of the first of which has an identity: a feed that is what it seems. */
  hasItems(): boolean {
    const { adoption, endpoint } = this.#terms;
    const short = this.#held.filter(({ xml }) => xml.length <= shortItem).slice(0, seenItems);
    return (
      this.#isLeftOut ||
      this.#hasRefused ||
      short.length < Math.min(this.#held.length, seenItems) ||
      [...adoption.adopt(short, { children: [], scope: { namespaces: [] } }, endpoint).adopted].length > 0
    );
  }

  /**
   * How the document is read that brings them.
   * @param restart called before its items are taken once more
   */
  tolerance({ mend, ...rules }: MendingTerms, restart: () => void = () => {}): Tolerance {
    return {
      limit: this.#terms.limit,
      mend: (bytes, { contentType, url }, error) => mend(bytes, { ...rules, contentType, url, error }),
      isSynchronised: () => this.hasSynchronised,
      hasItems: () => this.hasItems(),
      restart: () => {
        this.restart();
        restart();
      },
    };
  }

  /** Forgets what was held: the document is read again. */
  restart(): void {
    this.#release();
    this.#hasRefused = false;
  }

  /** Whether an item can be held, or need not be, since the feed is synchronised. */
  #fits({ xml }: Fragment): boolean {
    const { limit, always } = this.#terms;
    return this.#length + xml.length <= limit || (this.hasSynchronised && !always);
  }

  #hold(fragment: Fragment): void {
    this.#held.push(fragment);
    this.#length += fragment.xml.length;
    if (this.#length > this.#terms.limit) this.#isLeftOut = true;
  }

  #refused({ xml, line, column }: Fragment): Fragment {
    this.#hasRefused = true;
    const message =
      'The items of the feed without synchronisation data are together longer than ' +
      `${this.#terms.limit} characters; this one is left out (FETCH_ADOPTED_LENGTH).`;
    const violation = { rule: 'limit-adopted-length', section: 'limits', message, line, column } as const;
    const digest = createHash('sha256').update(xml).digest('base64url');
    return { xml: '', line, column, refusal: { violation: { ...violation, severity: 'error' }, digest } };
  }

  #release(): readonly Fragment[] {
    const held = this.#held;
    this.#held = [];
    this.#length = 0;
    return held;
  }
}
