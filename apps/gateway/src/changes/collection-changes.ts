import { parseCursor } from '#contracts';
import { nameOf } from '#core';
import type { CollectionKey } from '#core';
import type { ChangeSource } from './change-source.ts';
import type { ChangesReader } from './changes-reader.ts';
import { changesAfter } from './cursor.ts';
import { eventsText } from './events-text.ts';
import type { LiveStreams } from './live-streams.ts';
import type { PublicationWatch } from './publication-watch.ts';

/** What reads and follows the changes of collections. */
interface CollectionChangesParts {
  readonly reader: ChangesReader;
  readonly watch: PublicationWatch;
  readonly live: LiveStreams;
}

/** The changes of one collection. */
export function collectionChanges(
  { reader, watch, live }: CollectionChangesParts,
  key: CollectionKey,
): ChangeSource {
  return {
    name: nameOf(key),
    read: (cursor, limit, bytes) => reader.read(key, changesAfter(cursor), limit, bytes),
    newer: (cursor, milliseconds, signal) => watch.newer(key, parseCursor(cursor) ?? 0, milliseconds, signal),
    follow: (cursor, response) => live.follow(key, cursor, response),
    text: eventsText,
  };
}
