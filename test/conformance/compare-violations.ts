import { deepStrictEqual } from 'node:assert/strict';
import { Readable } from 'node:stream';
import { formatRules } from '#xml';
import { examineFeed } from '../../apps/cli/src/feed/examine-feed.ts';
import type { ExpectedViolation } from './conformance-case.ts';

/**
 * Compares the violations of a document with the expected ones: rule, severity and line, and the
 * column if one is given.
 */
export async function compareViolations(text: string, expected: readonly ExpectedViolation[]): Promise<void> {
  const { violations } = await examineFeed({ chunks: Readable.from([Buffer.from(text)]) }, () => {});
  // The rules of Atom and RSS have tests of their own, and an item that is left out breaks none.
  const isOther = (rule: string): boolean => rule in formatRules || rule === 'item-synchronised';
  const found = violations.filter(({ rule }) => !isOther(rule)).toSorted(byPlaceAndRule);
  const wanted = expected.toSorted(byPlaceAndRule);
  deepStrictEqual(
    found.map(({ rule, severity, line, column }, index) => ({
      rule,
      severity,
      line,
      ...(wanted[index]?.column !== undefined && { column }),
    })),
    wanted.map(({ rule, severity, line, column }) => ({
      rule,
      severity,
      line,
      ...(column !== undefined && { column }),
    })),
  );
}

function byPlaceAndRule(a: ExpectedViolation, b: ExpectedViolation): number {
  return (
    a.line - b.line || (a.rule < b.rule ? -1 : Number(a.rule > b.rule)) || (a.column ?? 0) - (b.column ?? 0)
  );
}
