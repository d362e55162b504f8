import type { FeedHead, Fragment } from '#xml';
import { isItem, ItemSet } from '#protocol';
import type { MergedFeed, SharingProtocol, Taken } from '#protocol';
import { placeItems } from '../engine/place-items.ts';
import { writeSseItem } from '../xml/item-writing.ts';
import type { SseContent } from './sse-content.ts';
import { writeOutlines } from './write-outlines.ts';

/**
 * Feeds of SSE, merged by 4.4. In RSS the items have the order of the local feed. Outlines stand where the
 * merged versions say (3.2): the items of each document are placed before the next is read, and cycles are
 * broken (4.4.2). Outlines without sync data have no place among them and come last.
 */
export class SseMergedFeed implements MergedFeed {
  readonly #protocol: SharingProtocol<SseContent>;
  readonly #set: ItemSet<SseContent>;
  /** Whether the current feed is the first. */
  #isLocal = true;

  constructor(protocol: SharingProtocol<SseContent>) {
    this.#protocol = protocol;
    this.#set = new ItemSet(protocol);
  }

  take(fragment: Fragment): Taken | undefined {
    return this.#set.take(fragment, withPlace, this.#isLocal);
  }

  end({ format }: FeedHead): readonly Taken[] {
    this.#isLocal = false;
    const taken = this.#set.end();
    if (format === 'opml') this.#place();
    return taken;
  }

  get items(): readonly SseContent[] {
    return this.#set.items;
  }

  *write({ format }: FeedHead): Iterable<string> {
    const isOutline = format === 'opml';
    if (isOutline) yield* writeOutlines(this.#set.items);
    for (const member of this.#set.members) {
      if (!isItem(member)) yield `${member.xml}\n`;
      else if (!isOutline) yield `${writeSseItem(member)}\n`;
    }
  }

  #place(): void {
    const assigned = placeItems(this.#set.items.map(({ sync: { id }, position = {} }) => ({ id, position })));
    for (const [id, place] of assigned) {
      const item = this.#set.find(id);
      const placed = item && this.#protocol.placeItem?.(item, place);
      if (placed !== undefined) this.#set.replace(placed);
    }
  }
}

/**
 * An item of RSS has the place that it was given in an ordered collection, but none that its feed alone
 * shows.
 */
function withPlace({ position, ...item }: SseContent): SseContent {
  return item.data.format === 'opml' || position?.key !== undefined ? { ...item, position } : item;
}
