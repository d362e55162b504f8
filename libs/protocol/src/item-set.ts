import { TooManyConflictsError } from '#core';
import type { SharedContent } from '#core';
import { FeedError } from '#xml';
import type { Violation, Fragment } from '#xml';
import type { Taken } from './merged-feed.ts';
import type { SharingProtocol } from './protocol.ts';

/** What a protocol knows of reading and merging its items. */
type ItemProtocol<Item extends SharedContent> = Pick<
  SharingProtocol<Item>,
  'mergeSection' | 'read' | 'merge'
>;

/** The content of a feed in its order: items with sync data, and plain ones as they stood. */
export class ItemSet<Item extends SharedContent> {
  readonly #protocol: ItemProtocol<Item>;
  readonly #members: (Item | Fragment)[] = [];
  readonly #places = new Map<string, number>();

  constructor(protocol: ItemProtocol<Item>) {
    this.#protocol = protocol;
  }

  /**
   * Reads an item and merges it into the set: in the place of the item with its id, else at the end.
   * @param adapt makes it an item of this set
   * @param isLocal whether a plain one is kept
   */
  take(fragment: Fragment, adapt: (item: Item) => Item, isLocal: boolean): Taken {
    const result = this.#protocol.read(fragment);
    if (result.kind === 'rejected') return result;
    if (result.kind === 'plain') {
      if (isLocal) this.#members.push(fragment);
      return result;
    }
    try {
      return { kind: this.#merge(adapt(result.item)) };
    } catch (error) {
      return { kind: 'rejected', violations: [this.#refusal(error, fragment)] };
    }
  }

  find(id: string): Item | undefined {
    const place = this.#places.get(id);
    const member = place === undefined ? undefined : this.#members[place];
    return member !== undefined && isItem(member) ? member : undefined;
  }

  /** Puts an item in the place of the one with its id. */
  replace(item: Item): void {
    const place = this.#places.get(item.sync.id);
    if (place !== undefined) this.#members[place] = item;
  }

  get members(): readonly (Item | Fragment)[] {
    return this.#members;
  }

  get items(): readonly Item[] {
    return this.#members.filter(isItem);
  }

  #merge(incoming: Item): 'new' | 'changed' | 'unchanged' {
    const { id } = incoming.sync;
    const local = this.find(id);
    const { content, changed } = this.#protocol.merge(local, incoming);
    if (local === undefined) {
      this.#places.set(id, this.#members.length);
      this.#members.push(content);
      return 'new';
    }
    this.replace(content);
    return changed ? 'changed' : 'unchanged';
  }

  #refusal(error: unknown, { line, column }: Fragment): Violation {
    if (error instanceof TooManyConflictsError)
      return {
        rule: 'too-many-conflicts',
        section: this.#protocol.mergeSection,
        message: error.message,
        severity: 'error',
        line,
        column,
      };
    if (error instanceof FeedError) return { ...error.violation, line, column };
    throw error;
  }
}

export function isItem<Item extends SharedContent>(member: Item | Fragment): member is Item {
  return 'sync' in member;
}
