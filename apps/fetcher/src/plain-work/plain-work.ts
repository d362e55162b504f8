import type { BrokenDocument, MendedFeed } from '#plain-feeds';
import { adoptionOf } from '#protocols';
import type { FeedHead, Fragment, Violation } from '#xml';
import type { AdoptedFragment } from '#protocol';

/** What is adopted of a plain feed, once all of it has been read. */
export interface PlainFeed {
  /** The protocol of the collection. */
  readonly protocol: string;
  /** The endpoint identifier that stands for the feed. */
  readonly endpoint: string;
  readonly head: Pick<FeedHead, 'children' | 'scope'>;
  readonly items: readonly Fragment[];
  /** Whether the feed has had one identifier for several items before. */
  readonly shares: boolean;
}

/** Some items of a feed, adopted or left as they are, and why items are left out, as warnings. */
export interface AdoptedPart {
  readonly items: readonly (Fragment | AdoptedFragment)[];
  readonly violations?: readonly Violation[];
}

/** What takes long for a long document, and is not to hold up others. */
export interface PlainWork {
  /**
   * Mends a document as `mendFeed` does, and throws as it does.
   * @param heartbeat called from time to time meanwhile; what it throws ends the work
   */
  mend(bytes: Uint8Array, document: BrokenDocument, heartbeat: () => Promise<void>): Promise<MendedFeed>;
  /** Adopts the items of a feed; those that are not adopted come last, then why. */
  adopt(feed: PlainFeed, heartbeat: () => Promise<void>): AsyncIterable<AdoptedPart>;
}

/** How much is handed on in one go: items, and their characters. */
const partItems = 1000;
const partLength = 262_144;

/** The items of a feed as they are adopted, some at a time. */
export function* adoptedParts({ protocol, endpoint, head, items, shares }: PlainFeed): Iterable<AdoptedPart> {
  const adopted = adoptionOf({ protocol })?.adopt(items, head, endpoint, shares);
  for (const part of partsOf(adopted?.adopted ?? [])) yield { items: part };
  for (const part of partsOf(adopted?.left ?? items)) yield { items: part };
  if (adopted !== undefined && adopted.violations.length > 0)
    yield { items: [], violations: adopted.violations };
}

/** Items in parts that can be handed on in one go; a longer item is a part of its own. */
export function* partsOf(items: Iterable<Fragment>): Iterable<readonly Fragment[]> {
  let part: Fragment[] = [];
  let length = 0;
  for (const item of items) {
    if (part.length > 0 && (part.length === partItems || length + item.xml.length > partLength)) {
      yield part;
      part = [];
      length = 0;
    }
    part.push(item);
    length += item.xml.length;
  }
  if (part.length > 0) yield part;
}
