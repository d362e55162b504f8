import { nameOf } from '#core';
import type { ChangeBlock, CollectionKey } from '#core';
import { changes, eventDelay } from './instruments.ts';
import { isTracing, recordSpan } from './tracing.ts';

/**
 * Counts changes that are on the event stream, measures how long after they were written those of items came
 * there, and ends the trace of each with a span of that length.
 */
export function observeRelayed(collection: CollectionKey, events: ChangeBlock['events'], at: Date): void {
  for (const { type, subject, time, traceparent } of events) {
    changes.inc({ type });
    if (!type.startsWith('feedmesh.item.')) continue;
    const writtenAt = new Date(time);
    eventDelay.observe(Math.max(0, at.getTime() - writtenAt.getTime()) / 1000);
    if (traceparent === undefined || !isTracing()) continue;
    const attributes = { 'feedmesh.collection': nameOf(collection), 'feedmesh.item': subject };
    recordSpan('change', traceparent, attributes, [writtenAt, at < writtenAt ? writtenAt : at]);
  }
}
