import type { Collection } from '#core';

/**
 * Whether the items of a collection have an order (SSE 3.2): outlines always, items of RSS if its settings
 * say so.
 */
export function isOrdered({ format, settings }: Pick<Collection, 'format' | 'settings'>): boolean {
  return isHierarchical({ format }) || settings.ordered === true;
}

/** Whether the items of a collection stand in one another: outlines do. */
export function isHierarchical({ format }: Pick<Collection, 'format'>): boolean {
  return format === 'opml';
}
