import type { PreviewView } from '#contracts';
import { inSlices, reportedViolations } from '#core';
import type { SharedContent } from '#core';
import { PlainItems } from '#plain-feeds';
import type { mendFeed, Tolerance } from '#plain-feeds';
import type { AdoptedFragment, SharingProtocol } from '#protocol';
import { synchronisationNamespaces } from '#protocols';
import type { FeedHead, Fragment, Violation } from '#xml';
import type { PlainWork } from '../plain-work/plain-work.ts';
import { previewItem } from './preview-item.ts';

/** How a feed is previewed. */
interface PreviewTerms {
  readonly protocol: SharingProtocol;
  /** The name of the protocol. */
  readonly protocolName: string;
  /** The address of the feed. */
  readonly url: string;
  /** How many items are shown. */
  readonly limit: number;
  /** How long a feed to be adopted may be, and how long one item may be. */
  readonly adoptedLength: number;
  readonly itemLength: number;
  readonly work: PlainWork;
  /** Called from time to time; what it throws ends the preview. */
  readonly heartbeat: () => Promise<void>;
}

/** What a feed holds, as a preview shows it. */
type PreviewedItems = Pick<PreviewView, 'isSynchronised' | 'items' | 'itemCount' | 'leftOut' | 'violations'>;

/** The items of a feed as a subscription would merge or adopt them; nothing is stored. */
export class PreviewItems {
  readonly #terms: PreviewTerms;
  readonly #endpoint: string = '';
  readonly #plain: PlainItems | undefined;
  /** The first ones of those with synchronisation data, merged, by id; of the others only the id. */
  readonly #merged = new Map<string, SharedContent | undefined>();
  #shown = 0;
  #leftOut = 0;
  #violations: Violation[] = [];

  constructor(terms: PreviewTerms) {
    this.#terms = terms;
    const { adoption } = terms.protocol;
    if (adoption === undefined) return;
    this.#endpoint = adoption.endpointOf(terms.url);
    const limit = terms.adoptedLength;
    this.#plain = new PlainItems({ adoption, endpoint: this.#endpoint, always: false, limit });
  }

  /** How the document is read; absent if it is read by the rules or not at all. */
  get tolerance(): Tolerance | undefined {
    const { itemLength, work, heartbeat } = this.#terms;
    const terms = {
      synchronisation: synchronisationNamespaces,
      itemLength,
      mend: (...broken: Parameters<typeof mendFeed>) => work.mend(...broken, heartbeat),
    };
    return this.#plain?.tolerance(terms, () => {
      this.#leftOut = 0;
      this.#violations = [];
    });
  }

  /** Takes items in the order of the document. */
  async take(fragments: readonly Fragment[]): Promise<void> {
    await this.#terms.heartbeat();
    for (const fragment of this.#plain?.take(fragments) ?? fragments) await this.#merge(fragment);
  }

  /** Ends the document whose head this is. */
  async end(head: FeedHead): Promise<PreviewedItems> {
    const { items: held = [], isAdopted = false } = this.#plain?.end(head) ?? {};
    const adopted = isAdopted ? await this.#adopt(head, held) : [];
    if (!isAdopted) this.#leftOut += held.length;
    for (const fragment of adopted) await this.#merge(fragment);
    const items = [...this.#merged.values()].flatMap((content) =>
      content === undefined ? [] : [previewItem(this.#terms.protocol.json(content))],
    );
    return {
      isSynchronised: this.#plain?.hasSynchronised !== false || head.sharing !== undefined,
      items,
      itemCount: this.#merged.size,
      leftOut: this.#leftOut,
      violations: [...this.#violations, ...head.violations].slice(0, reportedViolations),
    };
  }

  /** The items that are adopted, in the order of the document, without those that it says are deleted. */
  async #adopt(head: FeedHead, items: readonly Fragment[]): Promise<readonly Fragment[]> {
    const { work, heartbeat, protocolName: protocol } = this.#terms;
    const { children, scope } = head;
    const feed = { protocol, endpoint: this.#endpoint, head: { children, scope }, items, shares: false };
    const adopted: AdoptedFragment[] = [];
    for await (const part of work.adopt(feed, heartbeat)) {
      for (const item of part.items)
        if (isAdopted(item)) adopted.push(item);
        else this.#leftOut += 1;
      this.#violations.push(...(part.violations ?? []));
    }
    const places = new Set(items.map(placeOf));
    return adopted
      .filter((item) => places.has(placeOf(item)))
      .toSorted((one, other) => one.line - other.line || one.column - other.column);
  }

  async #merge(fragment: Fragment): Promise<void> {
    const { protocol, limit } = this.#terms;
    const id = fragment.id ?? '';
    if (fragment.refusal === undefined && this.#shown >= limit && this.#merged.get(id) === undefined) {
      if (fragment.id === undefined) this.#leftOut += 1;
      else this.#merged.set(id, undefined);
      return;
    }
    const read = await inSlices(protocol.read(fragment));
    if (read.kind !== 'item') {
      this.#leftOut += 1;
      if (this.#violations.length < reportedViolations) this.#violations.push(...read.violations);
      return;
    }
    const { item } = read;
    const local = this.#merged.get(item.sync.id);
    if (local === undefined) this.#shown += 1;
    this.#merged.set(item.sync.id, protocol.merge(local, item).content);
  }
}

function isAdopted(item: Fragment): item is AdoptedFragment {
  return item.adopted === true;
}

function placeOf({ line, column }: Fragment): string {
  return `${line}:${column}`;
}
