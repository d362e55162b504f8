import type { ChangeEvent } from '#contracts';
import type { EventStream } from '#core';

/**
 * An event stream whose events can be read. Takes only events with a sequence above the last one of their
 * collection.
 */
export function createMemoryEventStream(): EventStream & { readonly events: readonly ChangeEvent[] } {
  const events: ChangeEvent[] = [];
  const relayed = new Map<string, string>();
  return {
    events,
    async append(collection, appended) {
      for (const event of appended) {
        if (event.sequence <= (relayed.get(collection) ?? '')) continue;
        relayed.set(collection, event.sequence);
        events.push(structuredClone(event));
      }
    },
  };
}
