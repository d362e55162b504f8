import type { mongo } from 'mongoose';
import { rangeSteps } from './range-steps.ts';

/**
 * Removes all rows whose keys are above `$gt` and below `$lt`, step by step.
 * @param filter of these rows; by default all
 */
export async function removeRange<Row extends { _id: string }>(
  rows: mongo.Collection<Row>,
  range: { readonly $gt: string; readonly $lt: string },
  filter: mongo.Filter<Row> = {},
): Promise<void> {
  const keyed = rows as unknown as mongo.Collection<{ _id: string }>;
  const others = filter as mongo.Filter<{ _id: string }>;
  for await (const step of rangeSteps(keyed, range)) await keyed.deleteMany({ ...others, _id: step });
}
