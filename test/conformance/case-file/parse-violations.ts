import type { ExpectedViolation } from '../conformance-case.ts';

const violationLine = /^(\d+)(?::(\d+))? (\S+) (\S+)$/;

/**
 * Reads the property `violations`: `none`, or a list of `LINE:COLUMN SEVERITY RULE`; the column may be
 * missing. Throws an error if a line has another form.
 */
export function parseViolations(value: unknown): ExpectedViolation[] {
  if (value === 'none') return [];
  if (!Array.isArray(value)) throw new Error('`violations` must be `none` or one indented line each');
  return value.map((line) => parseViolation(String(line)));
}

function parseViolation(text: string): ExpectedViolation {
  const [, line, column, severity, rule] = violationLine.exec(text) ?? [];
  if (severity === undefined || rule === undefined)
    throw new Error(`expected \`LINE:COLUMN SEVERITY RULE\`; got \`${text}\``);
  return { rule, severity, line: Number(line), ...(column !== undefined && { column: Number(column) }) };
}
