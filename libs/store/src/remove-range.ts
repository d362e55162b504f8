import type { mongo } from 'mongoose';
import { rangeSteps } from './range-steps.ts';
import type { RangeStep } from './range-steps.ts';

interface KeyRange {
  readonly $gt: string;
  readonly $lt: string;
}

/**
 * Removes the first rows whose keys are above `$gt` and below `$lt`, as many as one step has. Returns whether
 * there were no more.
 */
export async function removeFirst(
  rows: mongo.Collection<{ _id: string }>,
  range: KeyRange,
): Promise<boolean> {
  const { step, isLast } = await firstStep(rows, range);
  await rows.deleteMany({ _id: step });
  return isLast;
}

/** The first step of a range, and whether it is the only one. */
export async function firstStep(
  rows: mongo.Collection<{ _id: string }>,
  range: KeyRange,
): Promise<{ readonly step: RangeStep; readonly isLast: boolean }> {
  const { value } = await rangeSteps(rows, range).next();
  const step: RangeStep = value ?? range;
  return { step, isLast: '$lt' in step };
}

/**
 * Removes all rows whose keys are above `$gt` and below `$lt`, step by step.
 * @param filter of these rows; by default all
 */
export async function removeRange<Row extends { _id: string }>(
  rows: mongo.Collection<Row>,
  range: KeyRange,
  filter: mongo.Filter<Row> = {},
): Promise<void> {
  const keyed = rows as unknown as mongo.Collection<{ _id: string }>;
  const others = filter as mongo.Filter<{ _id: string }>;
  for await (const step of rangeSteps(keyed, range)) await keyed.deleteMany({ ...others, _id: step });
}
