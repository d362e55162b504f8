import mongoose from 'mongoose';
import { duplicateKey } from './duplicate-key.ts';
import type { WriteOutcome } from './joined-writes.ts';

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
    const refusals = refusalsIn(error);
    if (refusals.length === 0 || !refusals.every(isLost)) throw error;
    return refusals.map(({ index }) => index).sort((one, other) => one - other);
  }
}

/**
 * Awaits an unordered bulk, sent as one command, of so many compare-and-set writes, and returns what came of
 * each. Throws the bulk's own error if it is not known of each.
 */
export async function writeOutcomes(bulk: Promise<unknown>, count: number): Promise<WriteOutcome[]> {
  const outcomes = Array.from({ length: count }, (): WriteOutcome => 'stored');
  try {
    await bulk;
  } catch (error) {
    const refusals = refusalsIn(error);
    if (refusals.length === 0) throw error;
    for (const refusal of refusals) outcomes[refusal.index] = isLost(refusal) ? 'lost' : 'failed';
  }
  return outcomes;
}

type Refusal = Pick<mongoose.mongo.WriteError, 'code' | 'index'>;

/** The writes that a bulk says it has refused, if all others are stored for certain. */
function refusalsIn(error: unknown): readonly Refusal[] {
  return error instanceof mongoose.mongo.MongoBulkWriteError &&
    error.result.getWriteConcernError() === undefined
    ? [error.writeErrors].flat()
    : [];
}

function isLost({ code }: Refusal): boolean {
  return code === duplicateKey || code === immutableField;
}
