import mongoose from 'mongoose';
import { duplicateKey } from './duplicate-key.ts';

/**
 * MongoDB's code for an update that would change an `_id`; see `item-write.ts` for why a lost update ends in
 * it.
 */
const immutableField = 66;

/**
 * Awaits an unordered bulk of compare-and-set writes and returns the places, ascending, of those that lost.
 * Throws the bulk's own error if anything else went wrong, such as a write concern that was not reached in
 * time.
 */
export async function lostWrites(bulk: Promise<unknown>): Promise<number[]> {
  try {
    await bulk;
    return [];
  } catch (error) {
    if (
      !(error instanceof mongoose.mongo.MongoBulkWriteError) ||
      error.result.getWriteConcernError() !== undefined
    )
      throw error;
    const refusals = [error.writeErrors].flat();
    const allLost =
      refusals.length > 0 && refusals.every(({ code }) => code === duplicateKey || code === immutableField);
    if (!allLost) throw error;
    return refusals.map(({ index }) => index).sort((one, other) => one - other);
  }
}
