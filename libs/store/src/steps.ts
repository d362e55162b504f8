/** How many rows are measured at once for a long read at first, and at most. */
const [firstRows, mostRows] = [8, 1000];

/**
 * About how many bytes a step of a long read brings. A client that reads slowly holds a step for as long as
 * it takes.
 */
const stepBytes = 262_144;

/** About how many bytes the rows have that are measured at once: the store reads them to tell their size. */
const measuredBytes = 16 * stepBytes;

/** A row that is yet to be read, with the size of its document in bytes. */
interface Measured {
  readonly bytes: number;
}

/** How many rows are to be measured at once after others, at most `limit`: few if those are large. */
export function rowsToMeasure(measured: readonly Measured[], limit = mostRows): number {
  const bytes = measured.reduce((sum, row) => sum + row.bytes, 0);
  const rows = bytes === 0 ? firstRows : Math.ceil((measuredBytes * measured.length) / bytes);
  return Math.min(rows, limit);
}

/**
 * Divides rows, in their order, into steps of at most `limit` bytes together; a larger row is a step of its
 * own.
 */
export function* inSteps<Row extends Measured>(rows: readonly Row[], limit = stepBytes): Generator<Row[]> {
  let step: Row[] = [];
  let bytes = 0;
  for (const row of rows) {
    if (step.length > 0 && bytes + row.bytes > limit) {
      yield step;
      [step, bytes] = [[], 0];
    }
    step.push(row);
    bytes += row.bytes;
  }
  if (step.length > 0) yield step;
}
