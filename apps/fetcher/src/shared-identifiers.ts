import type { Violation } from '#xml';
import { itemId, sharedContent } from '#core';
import type { Collection, Cursor, ItemStore, StoredItem, Subscription } from '#core';
import type { AdoptedFragment, Adoption } from '#protocol';

/** That a feed gives one identifier to several items; `doubted` if only the last document did. */
export type SharedIdentifiers = NonNullable<Cursor['identifiers']>;

interface SharedPorts {
  readonly items: Pick<ItemStore, 'load'>;
  readonly adoption: Pick<Adoption, 'isSameItem'>;
}

/**
 * Finds the ids of items of a plain feed that share an identifier: an item that is here keeps its id, however
 * the feed identifies it now. An item that is not here, with an identifier that an earlier document had for
 * another one alone, is left out of the first such document, which may be a slip.
 */
export class ItemIdentities {
  /** What the subscription remembers of the feed; undefined if each identifier has been that of one item. */
  state: SharedIdentifiers | undefined;
  #left = 0;
  #firstLeft: Pick<Violation, 'line' | 'column'> = { line: 1, column: 1 };
  readonly #ports: SharedPorts;
  readonly #collection: Collection;
  readonly #former: SharedIdentifiers | undefined;
  readonly #isFirst: boolean;

  constructor(ports: SharedPorts, collection: Collection, { cursor }: Pick<Subscription, 'cursor'>) {
    this.#ports = ports;
    this.#collection = collection;
    this.#former = cursor.identifiers;
    this.#isFirst = cursor.digest === undefined;
    this.state = this.#former === 'shared' ? 'shared' : undefined;
  }

  /** Whether the feed has had one identifier for several items before. */
  get shares(): boolean {
    return this.#former !== undefined;
  }

  /** Returns the items with their ids, without those that are left out. */
  async find<Item extends object>(
    items: readonly (Item | AdoptedFragment)[],
  ): Promise<(Item | AdoptedFragment)[]> {
    const shared = items.filter(isShared);
    if (shared.length === 0) return [...items];
    const ids = shared.flatMap(({ id, shared: { others } }) => [id, ...others]);
    const stored = await this.#ports.items.load(this.#collection.key, ids.map(itemId));
    return items.flatMap((item) => (isShared(item) ? this.#identify(item, stored) : item));
  }

  /** Warnings about items that were left out. */
  get violations(): readonly Violation[] {
    if (this.#left === 0) return [];
    const message =
      `The feed has identifiers for several items that it had for one before; ${this.#left} of them ` +
      'were left out until the next change of the feed.';
    const rule = { rule: 'item-identifier-shared', section: 'RSS 2.0, RFC 4287 4.2.6' } as const;
    return [{ ...rule, message, severity: 'warning', ...this.#firstLeft }];
  }

  #identify(item: SharedFragment, stored: ReadonlyMap<string, StoredItem>): AdoptedFragment[] {
    const { isRepeated, isStated, others } = item.shared;
    const known = [item.id, ...others].find((id) => {
      const local = stored.get(id);
      return local !== undefined && this.#isSame(local, item);
    });
    if (isRepeated)
      this.state ??= isStated && !this.#isFirst && this.#former === undefined ? 'doubted' : 'shared';
    if (known !== undefined) return [withId(item, known)];
    // The one that has its identifier is another item.
    if (!isRepeated) return [withId(item, (stored.has(item.id) ? others[1] : undefined) ?? item.id)];
    if (this.state !== 'doubted' || !isStated) return [withId(item, item.id)];
    if (this.#left === 0) this.#firstLeft = { line: item.line, column: item.column };
    this.#left += 1;
    return [];
  }

  #isSame(local: StoredItem, item: AdoptedFragment): boolean {
    return this.#ports.adoption.isSameItem(sharedContent(local.content), item);
  }
}

type SharedFragment = AdoptedFragment & Required<Pick<AdoptedFragment, 'shared'>>;

function isShared(item: object): item is SharedFragment {
  return 'shared' in item;
}

/** The item with an id; `shared` is not handed on. */
function withId({ shared: _shared, ...item }: SharedFragment, id: string): AdoptedFragment {
  return id === item.id ? item : { ...item, id, xml: item.xml.replace(`id="${item.id}"`, `id="${id}"`) };
}
