import type { mongo } from 'mongoose';

/** How many rows one command removes: few enough for it to end well within its time. */
const step = 1000;

/**
 * Removes all rows whose keys are above `$gt` and below `$lt`, step by step.
 * @param filter of these rows; by default all
 */
export async function removeRange<Row extends { _id: string }>(
  rows: mongo.Collection<Row>,
  { $gt, $lt }: { readonly $gt: string; readonly $lt: string },
  filter: mongo.Filter<Row> = {},
): Promise<void> {
  const keyed = rows as unknown as mongo.Collection<{ _id: string }>;
  const others = filter as mongo.Filter<{ _id: string }>;
  for (let first = $gt; ;) {
    const lastOfStep = { projection: { _id: 1 }, sort: { _id: 1 }, skip: step - 1 } as const;
    const last = await keyed.findOne({ _id: { $gt: first, $lt } }, lastOfStep);
    await keyed.deleteMany({ ...others, _id: { $gt: first, ...(last ? { $lte: last._id } : { $lt }) } });
    if (!last) return;
    first = last._id;
  }
}
