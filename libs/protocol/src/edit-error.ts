import { EditError, nameOf } from '#core';
import type { CollectionKey, ItemId } from '#core';

/** There is no such item. */
export class ItemNotFoundError extends EditError {
  override readonly name = 'ItemNotFoundError';
  constructor(collection: CollectionKey, id: ItemId) {
    super('item-not-found', `The collection "${nameOf(collection)}" has no item "${id}".`);
  }
}

/** An item with this id exists (an id is never given twice, also not after a deletion). */
export class ItemExistsError extends EditError {
  override readonly name = 'ItemExistsError';
  constructor(collection: CollectionKey, id: ItemId) {
    super(
      'item-exists',
      `The collection "${nameOf(collection)}" already has an item "${id}". Update or undelete it, or ` +
        'create one with another id.',
    );
  }
}

/** The item is not at the revision that the edit was made for. */
export class RevisionMismatchError extends EditError {
  override readonly name = 'RevisionMismatchError';
  constructor(
    readonly expected: number,
    readonly actual: number,
  ) {
    super(
      'revision-mismatch',
      `The item is at revision ${actual}, the edit was made for revision ${expected}. Read it again and ` +
        'repeat the edit.',
    );
  }
}

/** The key of an edit is that of another edit. */
export class KeyReusedError extends EditError {
  override readonly name = 'KeyReusedError';
  constructor() {
    super(
      'idempotency-key-reused',
      'This key was that of another edit. Use a new key for each edit, and the same one only to send an ' +
        'edit again.',
    );
  }
}

/** The item is in a state that this edit does not fit, such as an update of a tombstone. */
export class ItemStateError extends EditError {
  override readonly name = 'ItemStateError';
  constructor(message: string) {
    super('item-state', message);
  }
}

/** An id or a payload that may not be given to an item of this collection. */
export class InvalidEditError extends EditError {
  override readonly name = 'InvalidEditError';
  constructor(message: string) {
    super('invalid-edit', message);
  }
}
