import { readFileSync, writeFileSync } from 'node:fs';
import recheck from 'recheck';
import type { Expression } from './find-expressions.ts';

// In this process, not in one of a binary or of Java.
process.env['RECHECK_SYNC_BACKEND'] = 'pure';

/** The expressions that were judged to be linear, one a line. */
const record = 'test/regular-expressions/linear.txt';

/** Without a quantifier that has no limit, an expression does limited work at each character. */
const unlimited = /[*+]|\{\d+,\}/;

/** Returns an expression as it is recorded. */
export function textOf({ source, flags }: Pick<Expression, 'source' | 'flags'>): string {
  return `/${source}/${flags}`;
}

/** Returns why an expression takes longer than in proportion to the input; undefined if it does not. */
export function faultOf({ source, flags }: Pick<Expression, 'source' | 'flags'>): string | undefined {
  if (!unlimited.test(source)) return undefined;
  const judged = recheck.checkSync(source, flags, { timeout: 60_000 });
  if (judged.status === 'safe') return undefined;
  if (judged.status === 'unknown') return `unknown (${judged.error.kind})`;
  return `${judged.complexity.summary}, such as with ${judged.attack.pattern.slice(0, 200)}`;
}

export function readRecord(): string[] {
  return readFileSync(record, 'utf8').split('\n').slice(0, -1);
}

/** Records the linear ones of these expressions, without those that need no judgement. */
export function writeRecord(expressions: readonly Expression[]): void {
  const known = new Set(readRecord());
  const linear = expressions.filter(
    (expression) =>
      unlimited.test(expression.source) &&
      (known.has(textOf(expression)) || faultOf(expression) === undefined),
  );
  const lines = [...new Set(linear.map(textOf))].toSorted();
  writeFileSync(record, lines.map((line) => `${line}\n`).join(''));
}
