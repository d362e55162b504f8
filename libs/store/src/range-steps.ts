import type { mongo } from 'mongoose';

/** How many rows one command changes or removes: few enough for it to end well within its time. */
const step = 1000;

/** A condition on `_id` that one step of a range fulfils. */
export type RangeStep =
  | { readonly $gt: string; readonly $lt: string }
  | { readonly $gt: string; readonly $lte: string };

/** Divides all rows whose keys are above `$gt` and below `$lt` into steps, in ascending order. */
export async function* rangeSteps(
  rows: mongo.Collection<{ _id: string }>,
  { $gt, $lt }: { readonly $gt: string; readonly $lt: string },
): AsyncGenerator<RangeStep> {
  for (let first = $gt; ;) {
    const lastOfStep = { projection: { _id: 1 }, sort: { _id: 1 }, skip: step - 1 } as const;
    const last = await rows.findOne({ _id: { $gt: first, $lt } }, lastOfStep);
    yield { $gt: first, ...(last ? { $lte: last._id } : { $lt }) };
    if (!last) return;
    first = last._id;
  }
}
