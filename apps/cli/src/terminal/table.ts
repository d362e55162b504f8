import type { Io } from '../io.ts';
import { paint, printable } from './text.ts';

/** The widest that a cell is shown on a terminal, in characters; programs get all of it. */
const maximumCellWidth = 48;

/**
 * Rows of cells as text. On a terminal: aligned, under a header, long cells cut. Elsewhere: a row a line,
 * cells apart by tabs, no header, so that `cut -f` and `sort` can read it.
 */
export function formatTable(io: Io, header: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = rows.map((row) => row.map(printable));
  if (io.stdout.isTTY !== true) return cells.map((row) => `${row.join('\t')}\n`).join('');
  const shown = cells.map((row) => row.map(shorten));
  const widths = header.map((title, column) =>
    Math.max(...[title, ...shown.map((row) => row[column] ?? '')].map(width)),
  );
  const align = (row: readonly string[]): string =>
    row
      .map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - width(cell)))
      .join('  ')
      .trimEnd();
  return [paint(io, 'stdout', 'dim', align(header)), ...shown.map(align)].map((line) => `${line}\n`).join('');
}

function width(cell: string): number {
  return Array.from(cell).length;
}

function shorten(cell: string): string {
  return width(cell) <= maximumCellWidth
    ? cell
    : `${Array.from(cell)
        .slice(0, maximumCellWidth - 1)
        .join('')}…`;
}
