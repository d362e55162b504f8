import { adoptedLength, mendFeed, PlainItems } from '#plain-feeds';
import type { Tolerance } from '#plain-feeds';
import { feedTreeProtocols, synchronisationNamespaces } from '#protocols';
import type { Adoption } from '#protocol';
import { defaultScanLimits } from '#xml';
import type { FeedHead, Fragment, Violation } from '#xml';

/** What a subscription would do with the items that have no synchronisation data. */
export interface Outlook {
  /** How many it would adopt. */
  readonly adopted: number;
  /** How many it would leave out, and why. */
  readonly leftOut: number;
  readonly reasons: readonly string[];
  /** The same as warnings, at their places. */
  readonly violations: readonly Violation[];
}

/** A feed with any of these is read by the rules or not at all. */
const synchronisation = [
  ...synchronisationNamespaces,
  ...feedTreeProtocols.flatMap(({ namespaces }) => namespaces),
];

const isSynchronised =
  'the feed is synchronised (sx:sharing), and items without synchronisation data have no part in that';

const isBroken = 'the violations of the items say why';

/** Finds out which items of a feed a subscription would adopt. */
export class AdoptionOutlook {
  readonly #adoption: Adoption;
  readonly #endpoint: string;
  readonly #plain: PlainItems;
  readonly #refused: Fragment[] = [];

  /** @param url the address of the feed */
  constructor(adoption: Adoption, url: string) {
    this.#adoption = adoption;
    this.#endpoint = adoption.endpointOf(url);
    this.#plain = new PlainItems({
      adoption,
      endpoint: this.#endpoint,
      always: false,
      limit: adoptedLength,
    });
  }

  /**
   * How a subscription reads the feed.
   * @param restart called before the items are taken once more
   */
  tolerance(restart: () => void): Tolerance {
    const { itemLength } = defaultScanLimits;
    const mend = async (...broken: Parameters<typeof mendFeed>) => mendFeed(...broken);
    return this.#plain.tolerance({ synchronisation, itemLength, mend }, () => {
      this.#refused.length = 0;
      restart();
    });
  }

  /** Takes items in the order of the document. */
  take(fragments: readonly Fragment[]): void {
    const handedOn = this.#plain.take(fragments);
    this.#refused.push(...handedOn.filter(({ id, refusal }) => refusal && id === undefined));
  }

  /** Ends the document whose head this is. */
  end(head: FeedHead): Outlook {
    const { items, isAdopted } = this.#plain.end(head);
    const refused = this.#refused.flatMap(({ refusal }) => refusal?.violation ?? []);
    if (!isAdopted) {
      const reasons = items.length > 0 ? [isSynchronised] : [];
      return { adopted: 0, leftOut: items.length, reasons, violations: [] };
    }
    const { adopted, left, violations } = this.#adoption.adopt(items, head, this.#endpoint);
    const given = new Set(items.map(({ line, column }) => `${line}:${column}`));
    // An entry that the feed says is deleted (RFC 6721) is adopted too, and stands nowhere in the document.
    const kept = [...adopted].filter(({ line, column }) => given.has(`${line}:${column}`));
    const reasons = [...violations, ...refused].map(({ message }) => reasonIn(message));
    return {
      adopted: kept.length,
      leftOut: left.length + refused.length,
      reasons: reasons.length === 0 && left.length > 0 ? [isBroken] : reasons,
      violations: [...violations, ...refused.filter(({ rule }) => rule === 'limit-adopted-length')],
    };
  }
}

function reasonIn(message: string): string {
  return message.replace(/(?: (?:was|were) left out)?\.$/, '');
}
