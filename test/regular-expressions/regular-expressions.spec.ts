import { expect, test } from '@jest/globals';
import { findExpressions, productExpressions } from './find-expressions.ts';
import { faultOf, readRecord, textOf } from './judge.ts';

/** How many recorded expressions are judged again; each takes up to two seconds. */
const judgedAgain = 2;

test('every regular expression of the product takes time in proportion to its input', () => {
  const expressions = productExpressions();
  expect(expressions.length).toBeGreaterThan(300);
  const recorded = new Set(readRecord());
  const faults = expressions.flatMap((expression) => {
    const fault = recorded.has(textOf(expression)) ? undefined : faultOf(expression);
    return fault === undefined ? [] : [`${expression.place} ${textOf(expression)}: ${fault}`];
  });
  expect(faults).toEqual([]);
});

test('the record lists expressions that are in use and linear', () => {
  const used = new Set(productExpressions().map(textOf));
  const recorded = readRecord();
  expect(recorded.filter((line) => !used.has(line))).toEqual([]);
  const some = Array.from({ length: judgedAgain }, () => Math.floor(Math.random() * recorded.length));
  for (const place of some) {
    const line = recorded[place] ?? '';
    const end = line.lastIndexOf('/');
    const fault = faultOf({ source: line.slice(1, end), flags: line.slice(end + 1) });
    expect([line, fault]).toEqual([line, undefined]);
  }
});

test.each([
  ['/<[^>]*$/', '<[^>]*$'],
  ["new RegExp('\\\\s+$', 'g')", '\\s+$'],
  ["const space = /\\s/; RegExp(space.source + '+' + unknown + `$`)", '\\s+x$'],
])('finds the expression in %s, and that it is quadratic', (text, source) => {
  const found = findExpressions('file.ts', text).at(-1);
  expect(found?.source).toBe(source);
  expect(found && faultOf(found)).toMatch(/^2nd degree polynomial/);
});
