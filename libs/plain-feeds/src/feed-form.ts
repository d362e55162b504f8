import type { MarkupElement } from './markup-tree.ts';

/** How the elements of a feed are put into the form that they have in RSS 2.0 or Atom 1.0. */
export interface FeedForm {
  /** In how many elements the items stand. */
  readonly depth: number;
  /**
   * An item in this form; undefined if it can't be told before the whole feed is read.
   * @param around what it stands in, the root first
   */
  item(item: MarkupElement, around: readonly MarkupElement[]): MarkupElement | undefined;
  /** The feed without the items that `item` has returned. */
  feed(root: MarkupElement): MarkupElement;
}
