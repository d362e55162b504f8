import type { Fragment, Position } from '../fragment.ts';
import type { Child, FeedFormat, Scope } from '../payload.ts';
import { itemFormat, readTree, scopeOf } from '../tree.ts';
import { ViolationList } from '../violation-list.ts';

/** One child of a feed, a channel or an item. */
export interface LocatedChild extends Child, Position {}

/** A feed without its items, a channel without them, or an item. */
export interface LocatedElement extends Position {
  readonly format: FeedFormat;
  /** The namespace that elements of the format have here: RSS may have one of its own. */
  readonly namespace: string;
  readonly children: readonly LocatedChild[];
  /** In force inside the element. */
  readonly scope: Scope;
}

/**
 * An item with the places of its children in the feed; undefined of an outline.
 * @throws FeedError for an item beyond a limit
 */
export function locatedItem(fragment: Fragment): LocatedElement | undefined {
  const item = readTree(fragment.xml);
  const format = itemFormat(item);
  if (format === undefined || format === 'opml') return undefined;
  const places = new ViolationList(fragment, {});
  const { line, column } = fragment;
  const children = item.children.map((child) => ({
    namespace: child.namespace,
    name: child.name,
    xml: fragment.xml.slice(child.start, child.end),
    ...places.positionOf(child),
  }));
  return { format, namespace: item.namespace, children, scope: scopeOf(item), line, column };
}

/** The children of an element that its format calls so. */
export function childrenCalled(
  { namespace, children }: LocatedElement,
  name: string,
): readonly LocatedChild[] {
  return children.filter((child) => child.name === name && child.namespace === namespace);
}
