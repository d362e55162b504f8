import type { Payload } from '../payload.ts';

/** An OPML document as a tree of its outlines, without synchronisation data. */
export interface OutlineDocument {
  readonly title?: string;
  readonly outlines: readonly OutlineNode[];
}

/** One outline with the outlines in it. */
export interface OutlineNode {
  /** The id of its `sx:sync`, if it has one. */
  readonly id?: string;
  /** Of format `opml`. Of the bindings around it, those that it may use. */
  readonly payload: Payload;
  /** In order. */
  readonly children: readonly OutlineNode[];
}
