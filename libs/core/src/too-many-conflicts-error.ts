import type { ItemId } from '#contracts';

/** A merge that would leave more conflicts than allowed. */
export class TooManyConflictsError extends Error {
  override readonly name = 'TooManyConflictsError';
  readonly conflicts: number;
  readonly maximumConflicts: number;

  constructor(id: ItemId, conflicts: number, maximumConflicts: number) {
    super(
      `merging the item ${id} would leave ${conflicts} conflicts; the limit maximumConflicts is ` +
        `${maximumConflicts}`,
    );
    this.conflicts = conflicts;
    this.maximumConflicts = maximumConflicts;
  }
}
