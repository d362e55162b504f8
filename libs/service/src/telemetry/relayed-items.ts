import { nameOf } from '#core';
import type { PendingItem } from '#core';
import { eventDelay } from './instruments.ts';
import { isTracing, recordSpan } from './tracing.ts';

/**
 * Measures how long after they were written the changes of these items were on the event stream, and ends
 * the trace of each with a span of that length.
 */
export function observeRelayed(items: readonly PendingItem[], at: Date): void {
  for (const { collection, id, updatedAt, trace } of items) {
    eventDelay.observe(Math.max(0, at.getTime() - updatedAt.getTime()) / 1000);
    if (trace === undefined || !isTracing()) continue;
    const attributes = { 'feedmesh.collection': nameOf(collection), 'feedmesh.item': id };
    recordSpan('change', trace, attributes, [updatedAt, at < updatedAt ? updatedAt : at]);
  }
}
