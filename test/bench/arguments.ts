import { parseArgs } from 'node:util';
import { rows } from './rows/index.ts';
import { scaleRows } from './rows/scale/index.ts';
import type { Row, Scale } from './row.ts';

/** What `--row` calls the table of what is counted at two sizes. */
const growth = 'growth';

/** What a run of the benchmark is to do. */
export interface BenchArguments {
  readonly rows: readonly Row[];
  /** Whether it counts how the cost of what is done from time to time grows. */
  readonly countsGrowth: boolean;
  readonly scale: Scale;
  /** The folder for `results.json` and the pictures. */
  readonly out: string;
}

/** Every row. */
const allRows = [...rows, ...scaleRows];

/**
 * Reads `[--row NAME]… [--uncounted] [--rounds N] [--size FACTOR] [--short] [--out FOLDER]`. The short form
 * is two rounds of a tenth of the size, without the rows of scale unless they are named; `--uncounted` leaves
 * out what is counted at two sizes.
 * @throws Error that names the option
 */
export function readArguments(args: readonly string[]): BenchArguments {
  const { values } = parseArgs({
    args: [...args],
    options: {
      row: { type: 'string', multiple: true },
      rounds: { type: 'string' },
      size: { type: 'string' },
      uncounted: { type: 'boolean', default: false },
      short: { type: 'boolean', default: false },
      out: { type: 'string', default: '.feedmesh/bench' },
    },
  });
  const scale = {
    rounds: Number(values.rounds ?? (values.short ? 2 : 5)),
    size: Number(values.size ?? (values.short ? 0.1 : 1)),
  };
  if (!Number.isInteger(scale.rounds) || scale.rounds < 1)
    throw new Error(`--rounds must be a whole number from 1 on; got ${values.rounds}`);
  if (!(scale.size > 0)) throw new Error(`--size must be a number above 0; got ${values.size}`);
  const named = values.row?.filter((name) => name !== growth);
  return {
    rows: named?.map(rowNamed) ?? (values.short ? rows : allRows),
    countsGrowth: values.row?.includes(growth) ?? !values.uncounted,
    scale,
    out: values.out,
  };
}

function rowNamed(name: string): Row {
  const row = allRows.find((candidate) => candidate.name === name);
  if (row === undefined)
    throw new Error(
      `--row must be one of ${[...allRows.map((known) => known.name), growth].join(', ')}; got ${name}`,
    );
  return row;
}
