import { formatCursor } from '#messages';
import type { ChangeEvent } from '#messages';
import { findCollection } from '../collections/find-collection.ts';
import type { GatewayPorts } from '../gateway-ports.ts';
import { cursorGone, readCursor } from './cursor.ts';

/** Changes in order, and the cursor that the ones after them are read from. */
export interface Changes {
  readonly changes: readonly ChangeEvent[];
  readonly next: string;
}

/**
 * The changes of a collection after a cursor, or from the oldest that is kept. Those which are in the log but not applied to
 * the items yet are held back.
 * @throws ProblemError 404 for no such collection, 400 for a malformed cursor, 410 for one that is no longer kept
 */
export async function readChanges(ports: GatewayPorts, name: string, cursor: string | undefined, limit: number): Promise<Changes> {
  const { store, publicUrl } = ports;
  const collection = await findCollection(ports, name);
  const wanted = readCursor(collection, cursor, publicUrl);
  const since = wanted ?? (await store.changes.floor(name)) ?? collection.publication.sequence;
  const applied = formatCursor(collection.publication.sequence);
  const changes = (await store.changes.read(name, since, limit)).filter(({ sequence }) => sequence <= applied);
  // After the reading, so that changes removed meanwhile are noticed.
  const floor = (await store.changes.floor(name)) ?? collection.publication.sequence;
  if (wanted !== undefined && wanted < floor)
    throw cursorGone(collection, publicUrl, `The changes after ${formatCursor(wanted)} are no longer kept; the oldest cursor is ${formatCursor(floor)}.`, floor);
  return { changes, next: changes.at(-1)?.sequence ?? formatCursor(since) };
}
