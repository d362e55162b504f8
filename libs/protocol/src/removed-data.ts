import type { Payload } from '#xml';

/**
 * What stays of a deleted item's content where its data is removed: nothing but its format (FeedSync 3.2,
 * MAY; SSE leaves it open).
 */
export function withoutData({ format }: Payload): Payload {
  return { format, children: [], scope: { namespaces: [] } };
}

/**
 * Whether there is anything in a payload: an outline without attributes and an item without children have
 * nothing.
 */
export function isWithoutData({ children, attributes = [] }: Payload): boolean {
  return children.length === 0 && attributes.length === 0;
}
