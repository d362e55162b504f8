import { EditLimitError, isNamespaceSpecificString } from '#feedsync';
import { EditError } from '#core';
import { modificationBy, type Author } from './author.ts';
import type { Item } from './item.ts';
import type { ItemId, Position } from '#core';
import { unusedTime } from './signature.ts';
import { maximumVersion } from './version.ts';

/** A new item (4.1). */
export interface Creation<Data> extends Author {
  /** Globally unique, a Namespace Specific String (2.3); never changes. */
  readonly id: ItemId;
  readonly data: Data;
  /** True for an item that is a tombstone from birth; default false. */
  readonly deleted?: boolean;
  /** In an ordered collection only. */
  readonly position?: Position;
}

/** An update, a move, a deletion or its undoing (4.2). */
export interface Update<Data> extends Author {
  /** The new content; absent: as it was. */
  readonly data?: Data;
  /** True for a deletion; absent: false, so that any other update of a tombstone makes it an item again. */
  readonly deleted?: boolean;
  /** The new place; absent: as it was. */
  readonly position?: Position;
  /** How many `sx:update` the item keeps, the latest ones; from 0; absent: all (4.2, step 2.3, MAY). */
  readonly updatesKept?: number;
}

/** Creates an item of version 1 (4.1). Throws EditError if the id or the author break a rule. */
export function createItem<Data>({
  id,
  data,
  when,
  by,
  issued,
  deleted = false,
  position,
}: Creation<Data>): Item<Data> {
  if (!isNamespaceSpecificString(id)) {
    throw new EditError(
      'sync-id-syntax',
      `the id ${JSON.stringify(id)} is not a Namespace Specific String (SSE 2.3, RFC 2141)`,
    );
  }
  const history = [modificationBy({ when: unusedTime(when, 1, issued), by })];
  return {
    sync: { id, version: 1, deleted, conflict: false, history },
    data,
    conflicts: [],
    ...(position !== undefined && { position }),
  };
}

/**
 * Updates an item (4.2): the next version, without conflicts and with `conflict` removed.
 * Throws EditError if the author breaks a rule, EditLimitError if `version` would pass 2^53-1.
 */
export function updateItem<Data>(item: Item<Data>, update: Update<Data>): Item<Data> {
  const { data = item.data, deleted = false, position = item.position, updatesKept } = update;
  if (item.sync.version >= maximumVersion)
    throw new EditLimitError(
      `the item ${item.sync.id} has reached the limit of ${maximumVersion} for "version" (SSE 2.3)`,
    );
  const version = item.sync.version + 1;
  const history = [
    modificationBy({ when: unusedTime(update.when, version, update.issued), by: update.by }),
    ...item.sync.history.slice(0, updatesKept),
  ];
  const { conflictsForeign: _removed, ...sync } = item.sync;
  return {
    sync: { ...sync, version, deleted, conflict: false, history },
    data,
    conflicts: [],
    ...(position !== undefined && { position }),
  };
}
