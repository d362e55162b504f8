import { defaultScanLimits } from '#xml';
import type { FeedHead, Fragment, Violation } from '#xml';
import type { Collection, Subscription } from '#core';
import { adoptedLength, PlainItems } from '#plain-feeds';
import type { mendFeed, Tolerance } from '#plain-feeds';
import { adoptionOf, synchronisationNamespaces } from '#protocols';
import type { BatchSender } from './batch-sender.ts';
import type { FetchPorts } from './fetch-ports.ts';
import type { FetchSettings } from './fetch-settings.ts';
import { ItemDates } from './item-dates.ts';
import { inThisProcess } from './plain-work/in-this-process.ts';
import { partsOf } from './plain-work/plain-work.ts';
import { RefusedItems } from './refused-items.ts';
import { ItemIdentities } from './shared-identifiers.ts';
import type { SharedIdentifiers } from './shared-identifiers.ts';

/** The items of one fetch on their way from its documents to the mergers, or to the dead letters. */
export class ArrivingItems {
  readonly dates = new ItemDates();
  readonly refused: RefusedItems;
  readonly #collection: Collection;
  readonly #subscription: Subscription;
  readonly #sender: BatchSender;
  readonly #heartbeat: () => Promise<void>;
  readonly #work;
  readonly #itemLength: number;
  /** The endpoint identifier that stands for the feed. */
  readonly #endpoint: string = '';
  /** Absent if items without synchronisation data are left out by the mergers. */
  readonly #plain: PlainItems | undefined;
  readonly #identities: ItemIdentities | undefined;
  #violations: readonly Violation[] = [];

  /** @param heartbeat called from time to time; what it throws ends the fetch */
  constructor(
    { work = inThisProcess, store }: Pick<FetchPorts, 'work' | 'store'>,
    {
      adoptedLength: limit = adoptedLength,
      scan = defaultScanLimits,
    }: Pick<FetchSettings, 'adoptedLength' | 'scan'>,
    collection: Collection,
    subscription: Subscription,
    sender: BatchSender,
    heartbeat: () => Promise<void>,
  ) {
    this.refused = new RefusedItems(subscription);
    this.#collection = collection;
    this.#subscription = subscription;
    this.#sender = sender;
    this.#heartbeat = heartbeat;
    this.#work = work;
    this.#itemLength = scan.itemLength;
    const { url, adopt, adoptedAs } = subscription;
    const adoption = adopt === false ? undefined : adoptionOf(collection);
    if (adoption === undefined) return;
    const endpoint = adoptedAs ?? adoption.endpointOf(url);
    this.#endpoint = endpoint;
    this.#identities = new ItemIdentities({ items: store.items, adoption }, collection, subscription);
    this.#plain = new PlainItems({ adoption, endpoint, always: adopt === true, limit });
  }

  /** Whether the items without synchronisation data are adopted, if the feed is a plain one. */
  get adopts(): boolean {
    return this.#plain !== undefined;
  }

  /** Whether one has had synchronisation data. */
  get hasSynchronised(): boolean {
    return this.#plain?.hasSynchronised === true;
  }

  /** Why items were left out, as warnings. */
  get violations(): readonly Violation[] {
    return [...this.#violations, ...(this.#identities?.violations ?? [])];
  }

  /** What is to be remembered of the identifiers of the feed. */
  get identifiers(): SharedIdentifiers | undefined {
    return this.#identities?.state;
  }

  /** How the document is read that brings them; absent if it is read by the rules or not at all. */
  get tolerance(): Tolerance | undefined {
    const plain = this.#plain;
    if (plain === undefined) return undefined;
    const { adopt, cursor } = this.#subscription;
    // A feed that was synchronised when it was read last is so, even if this document does not show it.
    const wasSynchronised = adopt !== true && cursor.isSynchronised === true;
    const terms = {
      synchronisation: synchronisationNamespaces,
      itemLength: this.#itemLength,
      mend: (...broken: Parameters<typeof mendFeed>) => this.#work.mend(...broken, this.#heartbeat),
    };
    return {
      ...plain.tolerance(terms, () => this.refused.restart()),
      isSynchronised: () => plain.hasSynchronised || wasSynchronised,
    };
  }

  /** Takes items in the order of their document. */
  async take(fragments: readonly Fragment[]): Promise<void> {
    await this.#heartbeat();
    this.dates.take(fragments);
    await this.#handOn(this.#plain?.take(fragments) ?? fragments);
  }

  /** Ends the document whose head this is. */
  async end(head: FeedHead): Promise<void> {
    if (this.#plain === undefined) return;
    const { items, isAdopted } = this.#plain.end(head);
    if (isAdopted) await this.#adopt(head, items);
    else for (const part of partsOf(items)) await this.#handOn(part);
  }

  async #adopt(head: FeedHead, items: readonly Fragment[]): Promise<void> {
    const { protocol } = this.#collection;
    const identities = this.#identities;
    const shares = identities?.shares === true;
    const { children, scope } = head;
    const feed = { protocol, endpoint: this.#endpoint, head: { children, scope }, items, shares };
    for await (const part of this.#work.adopt(feed, this.#heartbeat)) {
      await this.#handOn((await identities?.find(part.items)) ?? part.items);
      this.#violations = [...this.#violations, ...(part.violations ?? [])];
    }
  }

  async #handOn(fragments: readonly Fragment[]): Promise<void> {
    await this.#sender.take(this.refused.take(fragments));
    await this.#heartbeat();
  }
}
