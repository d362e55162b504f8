import { createMemoryEventStream } from '#in-memory';
import type { Clock, CollectionKey, Store } from '#core';
import { publishCollection } from '../publish-collection.ts';

/** Publishes what waits in a collection, as a publisher does that has just been started. */
export async function publishOnce(store: Store, collection: CollectionKey, clock: Clock): Promise<void> {
  const ports = { store, stream: createMemoryEventStream(), clock, publicUrl: 'http://here.example' };
  await publishCollection(ports, { block: 500, retention: 100_000 }, { version: 1, collection });
}
