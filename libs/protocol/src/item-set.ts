import { finish, TooManyConflictsError } from '#core';
import type { SharedContent } from '#core';
import { FeedError } from '#xml';
import type { Violation, Fragment } from '#xml';
import type { Taken } from './merged-feed.ts';
import type { SharingProtocol } from './protocol.ts';
import { uniteVersions } from './unite-versions.ts';
import type { UnitedVersion } from './unite-versions.ts';

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
  /** By the ids of the items in the current feed: the versions after the first one. */
  readonly #further = new Map<string, UnitedVersion<Item, Fragment>[]>();

  constructor(protocol: ItemProtocol<Item>) {
    this.#protocol = protocol;
  }

  /**
   * Reads an item and merges it into the set: in the place of the item with its id, else at the end. A
   * further version of an item in the same feed waits for `end`; then the result is undefined.
   * @param adapt makes it an item of this set
   * @param isLocal whether a plain one is kept
   */
  take(fragment: Fragment, adapt: (item: Item) => Item, isLocal: boolean): Taken | undefined {
    const result = finish(this.#protocol.read(fragment));
    if (result.kind === 'rejected') return result;
    if (result.kind === 'plain') {
      if (isLocal) this.#members.push(fragment);
      return result;
    }
    try {
      const item = adapt(result.item);
      const further = this.#further.get(item.sync.id);
      if (further !== undefined) {
        further.push({ content: item, sources: [fragment] });
        return undefined;
      }
      this.#further.set(item.sync.id, []);
      return { kind: this.#merge(item) };
    } catch (error) {
      return { kind: 'rejected', violations: [this.#refusal(error, fragment)] };
    }
  }

  /** Ends the current feed. Returns the outcomes of the versions that have waited. */
  end(): readonly Taken[] {
    const taken: Taken[] = [];
    for (const versions of this.#further.values())
      for (const version of this.#united(versions)) taken.push(...this.#takeUnited(version));
    this.#further.clear();
    return taken;
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

  #united(versions: readonly UnitedVersion<Item, Fragment>[]): readonly UnitedVersion<Item, Fragment>[] {
    return finish(uniteVersions(versions, (one, other) => this.#protocol.merge(one, other).content));
  }

  #takeUnited({ content, sources }: UnitedVersion<Item, Fragment>): readonly Taken[] {
    try {
      const kind = this.#merge(content);
      return sources.map(() => ({ kind }));
    } catch (error) {
      return sources.map((source) => ({ kind: 'rejected', violations: [this.#refusal(error, source)] }));
    }
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
