import { merge } from '#feedsync';
import type { Item } from '#feedsync';
import type { Fragment, Payload } from '#feed-xml';

export type MergeEffect = 'new' | 'changed' | 'unchanged';

/** The content of a feed in its order: items with sync data, and plain ones as they stood. */
export class FeedSet {
  readonly #members: (Item<Payload> | Fragment)[] = [];
  readonly #places = new Map<string, number>();

  /** Adds a plain item at the end. */
  keep(fragment: Fragment): void {
    this.#members.push(fragment);
  }

  /**
   * Merges an item into the set (FeedSync 3.3): in the place of the item with its id, else at the end.
   * @throws TooManyConflictsError
   */
  merge(incoming: Item<Payload>): MergeEffect {
    const place = this.#places.get(incoming.sync.id);
    const local = place === undefined ? undefined : this.#members[place];
    const { item, changed } = merge(local !== undefined && isItem(local) ? local : undefined, incoming);
    if (place === undefined) {
      this.#places.set(item.sync.id, this.#members.length);
      this.#members.push(item);
      return 'new';
    }
    this.#members[place] = item;
    return changed ? 'changed' : 'unchanged';
  }

  get members(): readonly (Item<Payload> | Fragment)[] {
    return this.#members;
  }
}

export function isItem(member: Item<Payload> | Fragment): member is Item<Payload> {
  return 'sync' in member;
}
