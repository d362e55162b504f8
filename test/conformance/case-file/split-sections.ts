import type { LineBlock } from './parse-properties.ts';

/** The lines below a line that starts with `===` or `---`. */
export interface Section extends LineBlock {
  /** Of a list, of the steps or rounds of a case, or a document. */
  readonly kind: 'case' | 'part' | 'document';
  readonly name: string;
  /** The line that starts the section, and its number. */
  readonly heading: string;
  readonly line: number;
}

const headings = {
  case: /^=== (\S+)$/,
  part: /^=== ((?:step|round) [1-9]\d*)$/,
  document: /^--- (\S+(?: \S+)*)$/,
} as const;

/**
 * Splits a case file into the properties at its head and its sections.
 * @throws Error with the number of the line if the text is not one of lines that end with a line feed alone,
 *   or if a section has no name
 */
export function splitSections(text: string): { head: LineBlock; sections: Section[] } {
  const lines = linesOf(text);
  const starts = lines.flatMap((line, index) => (/^(?:===|---)/.test(line) ? [index] : []));
  const sections = starts.map((start, index) => ({
    ...readHeading(lines[start] ?? '', start + 1),
    lines: lines.slice(start + 1, starts[index + 1]),
    firstLine: start + 2,
  }));
  return { head: { lines: lines.slice(0, starts[0]), firstLine: 1 }, sections };
}

function linesOf(text: string): string[] {
  if (text.startsWith('\uFEFF')) throw new Error('line 1: the file starts with a byte order mark');
  const lines = text.split('\n');
  const carriageReturn = lines.findIndex((line) => line.includes('\r'));
  if (carriageReturn >= 0) throw new Error(`line ${carriageReturn + 1}: the line has a carriage return`);
  if (lines.pop() !== '') throw new Error(`line ${lines.length + 1}: the last line has no line feed`);
  return lines;
}

function readHeading(heading: string, line: number): Pick<Section, 'kind' | 'name' | 'heading' | 'line'> {
  for (const kind of ['case', 'part', 'document'] as const) {
    const name = headings[kind].exec(heading)?.[1];
    if (name !== undefined) return { kind, name, heading, line };
  }
  throw new Error(`line ${line}: \`${heading}\` starts a section, but is not one`);
}
