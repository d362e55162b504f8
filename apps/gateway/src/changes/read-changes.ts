import { formatCursor } from '#contracts';
import type { ChangeEvent, ChangesView } from '#contracts';
import type { CollectionKey } from '#core';
import { findCollection } from '../collections/find-collection.ts';
import type { GatewayPorts } from '../gateway-ports.ts';
import { jsonBytes } from '../pages/page.ts';
import { cursorGone, readCursor } from './cursor.ts';

/** Changes as they were read. */
export interface ChangesPage {
  readonly view: ChangesView;
  /** Whether they go as far as the collection was published when they were read. */
  readonly isLast: boolean;
}

/**
 * The changes of a collection after a cursor, or from the oldest that is kept. Cursor 0 is before the first
 * change, also if the collection goes on with the sequences of a removed one. Those that
 * were published since the collection was read are held back.
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
): Promise<ChangesPage> {
  const { store, publicUrl } = ports;
  const collection = await findCollection(ports, key);
  const { sequence } = collection.publication;
  const wanted = readCursor(collection, cursor, publicUrl);
  // The last block is always kept, so what follows it is never gone.
  if (wanted === sequence) return pageOf([], wanted, sequence);
  const published = formatCursor(sequence);
  const read = await store.changes.read(key, wanted ?? 0, limit, bytes);
  const changes = withinBytes(
    read.filter((change) => change.sequence <= published),
    bytes,
  );
  if (wanted === undefined) {
    const [oldest] = changes;
    return pageOf(changes, oldest === undefined ? sequence : Number(oldest.sequence) - 1, sequence);
  }
  if (!isWithoutGap(read, wanted)) {
    // After the reading, so that changes removed meanwhile are noticed.
    const oldestSince = (await store.changes.oldestSince(key)) ?? sequence;
    if (wanted === 0 && oldestSince <= (await store.collections.beganAfter(key)))
      return pageOf(changes, oldestSince, sequence);
    if (wanted < oldestSince)
      throw cursorGone(
        collection,
        publicUrl,
        `The changes after ${formatCursor(wanted)} are no longer kept; the oldest cursor is ` +
          `${formatCursor(oldestSince)}.`,
        oldestSince,
      );
  }
  return pageOf(changes, wanted, sequence);
}

function pageOf(changes: readonly ChangeEvent[], since: number, published: number): ChangesPage {
  const next = changes.at(-1)?.sequence ?? formatCursor(since);
  return { view: { changes, next }, isLast: next >= formatCursor(published) };
}

/** Whether changes are all that follow a sequence, as far as they go. */
function isWithoutGap(changes: readonly ChangeEvent[], since: number): boolean {
  const last = changes.at(-1);
  return last !== undefined && Number(last.sequence) === since + changes.length;
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
