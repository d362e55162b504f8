import type { Violation } from '#xml';
import type { Io } from '../io.ts';
import { paint, printable } from '../terminal/text.ts';

/** A violation as one line: `local.xml:12:3: error: … [sync-updates-range, FeedSync 2.4]`. */
export function violationLine(
  io: Io,
  stream: 'stdout' | 'stderr',
  source: string,
  { line, column, severity, message, rule, section }: Violation,
): string {
  const place = `${nameOfSource(source)}:${line}:${column}`;
  const shownSeverity = paint(io, stream, severity === 'error' ? 'red' : 'yellow', severity);
  return `${place}: ${shownSeverity}: ${printable(message)} ${paint(
    io,
    stream,
    'dim',
    `[${rule}, ${section}]`,
  )}\n`;
}

/** How a source is called in messages. */
export function nameOfSource(source: string): string {
  return source === '-' ? 'stdin' : source;
}
