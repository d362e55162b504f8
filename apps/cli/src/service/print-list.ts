import type { Io } from '../io.ts';
import { Output } from '../terminal/output.ts';
import { formatTable } from '../terminal/table.ts';

/** A column of a list: its title and the text of one entry in it. */
export type Columns<T> = Readonly<Record<string, (entry: T) => string | number>>;

/** Prints a list: as a JSON array of the whole entries, one a line, or as rows of the given columns. */
export async function printList<T>(
  entries: AsyncIterable<T>,
  columns: Columns<T>,
  format: 'text' | 'json',
  io: Io,
): Promise<void> {
  const output = new Output(io.stdout);
  if (format === 'json') {
    let separator = '[\n';
    for await (const entry of entries) {
      await output.write(separator + JSON.stringify(entry));
      separator = ',\n';
    }
    await output.write(separator === '[\n' ? '[]\n' : '\n]\n');
  } else {
    const rows: string[][] = [];
    for await (const entry of entries)
      rows.push(Object.values(columns).map((column) => String(column(entry))));
    await output.write(formatTable(io, Object.keys(columns), rows));
  }
  await output.flush();
}
