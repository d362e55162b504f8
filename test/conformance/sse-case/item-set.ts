import { sseDialect } from '#sse';
import { openOutline, outlineEnd, writeFeedEnd, writeFeedStart } from '#xml';
import { writeSseItem, arrange, merge, placeAt, placeItems } from '#sse';
import type { FeedHead, Payload } from '#xml';
import type { Branch, Item } from '#sse';
import type { Placed } from '#core';
import type { Position } from '#core';
import type { SseDocument } from './sse-documents.ts';
import type { CasePlace } from './sse-operation.ts';

type OutlineItem = Item<Payload>;
type PlacedItem = Placed & { readonly item: OutlineItem };

/** The items of an endpoint; where their order counts, each has its place. */
export class ItemSet {
  readonly isOrdered: boolean;
  readonly #head: FeedHead;
  readonly #items = new Map<string, OutlineItem>();

  /** @param isOrdered whether order counts although the items are of RSS */
  constructor({ head, items }: SseDocument, isOrdered = false) {
    this.#head = head;
    this.isOrdered = isOrdered || head.format === 'opml';
    for (const item of items) this.#items.set(item.sync.id, this.#fitting(item));
    this.place();
  }

  /** Throws if there is no such item. */
  get(id: string): OutlineItem {
    const item = this.#items.get(id);
    if (item === undefined) throw new Error(`There is no item ${id}.`);
    return item;
  }

  set(item: OutlineItem): void {
    this.#items.set(item.sync.id, item);
  }

  /** Merges the items of a document (4.4), and after the last one looks for cycles (4.4.2). */
  merge({ items }: SseDocument): void {
    for (const item of items) this.set(merge(this.#items.get(item.sync.id), this.#fitting(item)).item);
    this.place();
  }

  /** Gives a place to items that have none of their own yet, and breaks cycles. */
  place(): void {
    if (!this.isOrdered) return;
    for (const [id, { position, isReparented }] of placeItems(this.#all().map(placed))) {
      const item = this.get(id);
      this.set({ ...item, position, ...(isReparented && { sync: { ...item.sync, conflict: true } }) });
    }
  }

  /** The document that shows the items. */
  write(): string {
    const { format } = this.#head;
    const items = format === 'opml' ? this.#tree().map(writeOutline) : this.#listed().map(writeSseItem);
    return [writeFeedStart(this.#head, sseDialect), ...items, writeFeedEnd(format)].join('');
  }

  /** The position of an item that is to stand at this place. */
  positionAt(id: string, { parent, index }: CasePlace): Position {
    const siblings = this.#below(parent).filter((sibling) => sibling.id !== id);
    return { ...(parent !== undefined && { parent }), key: placeAt(siblings, index ?? siblings.length) };
  }

  #all(): OutlineItem[] {
    return [...this.#items.values()];
  }

  #listed(): OutlineItem[] {
    return this.isOrdered ? this.#tree().map(({ item: { item } }) => item) : this.#all();
  }

  /** The items below each other in their order. */
  #tree(): Branch<PlacedItem>[] {
    return arrange(this.#all().map((item) => ({ ...placed(item), item })));
  }

  #below(parent: string | undefined): Placed[] {
    return parent === undefined
      ? this.#tree().map(({ item }) => item)
      : this.#tree().flatMap((branch) => childrenIn(branch, parent));
  }

  #fitting({ position, ...item }: OutlineItem): OutlineItem {
    return this.isOrdered ? { ...item, position } : item;
  }
}

function writeOutline({ item: { item }, children }: Branch<PlacedItem>): string {
  return openOutline(writeSseItem(item)) + children.map(writeOutline).join('') + outlineEnd;
}

function placed({ sync: { id }, position = {} }: OutlineItem): Placed {
  return { id, position };
}

/** The places below the parent, wherever it is in a branch. */
function childrenIn({ item, children }: Branch, parent: string | undefined): Placed[] {
  if (item.id === parent) return children.map((child) => child.item);
  return children.flatMap((child) => childrenIn(child, parent));
}
