import { formatCursor } from '#contracts';
import type { ChangeEvent, ChangesView } from '#contracts';
import type { CollectionKey } from '#core';
import { findCollection } from '../collections/find-collection.ts';
import type { GatewayPorts } from '../gateway-ports.ts';
import { jsonBytes } from '../pages/page.ts';
import { cursorGone, readCursor } from './cursor.ts';

/**
 * The changes of a collection after a cursor, or from the oldest that is kept. Those which are in the log but
 * not applied to the items yet are held back.
 * @param limit how many at most
 * @param bytes how many of JSON; one change may have more
 * @throws ProblemError 404 for no such collection, 400 for a malformed cursor, 410 for one that is no
 *   longer kept
 */
export async function readChanges(
  ports: GatewayPorts,
  key: CollectionKey,
  cursor: string | undefined,
  limit: number,
  bytes: number,
): Promise<ChangesView> {
  const { store, publicUrl } = ports;
  const collection = await findCollection(ports, key);
  const wanted = readCursor(collection, cursor, publicUrl);
  const since = wanted ?? (await store.changes.floor(key)) ?? collection.publication.sequence;
  const applied = formatCursor(collection.publication.sequence);
  const changes = withinBytes(
    (await store.changes.read(key, since, limit)).filter(({ sequence }) => sequence <= applied),
    bytes,
  );
  // After the reading, so that changes removed meanwhile are noticed.
  const floor = (await store.changes.floor(key)) ?? collection.publication.sequence;
  if (wanted !== undefined && wanted < floor)
    throw cursorGone(
      collection,
      publicUrl,
      `The changes after ${formatCursor(wanted)} are no longer kept; the oldest cursor is ` +
        `${formatCursor(floor)}.`,
      floor,
    );
  return { changes, next: changes.at(-1)?.sequence ?? formatCursor(since) };
}

/** As many of the changes as fit, at least one. */
function withinBytes(changes: readonly ChangeEvent[], limit: number): readonly ChangeEvent[] {
  let bytes = 0;
  const end = changes.findIndex((change) => {
    bytes += jsonBytes(change);
    return bytes > limit;
  });
  return end === -1 ? changes : changes.slice(0, Math.max(1, end));
}
