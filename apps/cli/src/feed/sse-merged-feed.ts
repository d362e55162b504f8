import { writeSseItem, placeItems, sseProtocol } from '#sse';
import type { FeedHead, Fragment, Payload } from '#xml';
import type { Item } from '#sse';
import { FeedSet, isItem } from './feed-set.ts';
import type { MergedFeed, Taken } from './merged-feed.ts';
import { writeOutlines } from './write-outlines.ts';

/**
 * Feeds of SSE, merged by 4.4. In RSS the items have the order of the local feed. Outlines stand where the
 * merged versions say (3.2): the items of each document are placed before the next is read, and cycles are
 * broken (4.4.2). Outlines without sync data have no place among them and come last.
 */
export class SseMergedFeed implements MergedFeed {
  readonly protocol = sseProtocol;
  readonly #set = new FeedSet<Item<Payload>>(sseProtocol);
  /** Whether the current feed is the first. */
  #isLocal = true;

  take(fragment: Fragment): Taken {
    return this.#set.take(fragment, withPlace, this.#isLocal);
  }

  end({ format }: FeedHead): void {
    this.#isLocal = false;
    if (format === 'opml') this.#place();
  }

  get items(): readonly Item<Payload>[] {
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
      if (item !== undefined) this.#set.replace(sseProtocol.placeItem(item, place));
    }
  }
}

/**
 * An item of RSS has the place that it was given in an ordered collection, but none that its feed alone
 * shows.
 */
function withPlace({ position, ...item }: Item<Payload>): Item<Payload> {
  return item.data.format === 'opml' || position?.key !== undefined ? { ...item, position } : item;
}
