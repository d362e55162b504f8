import { expect, test } from '@jest/globals';
import { findMutants, plant } from './find-mutants.ts';

/** What a line of source becomes with each fault. */
function mutated(text: string): string[] {
  return findMutants(text).map((mutant) => plant(text, mutant));
}

test.each([
  ['a < b;', ['a <= b;']],
  ['a <= b;', ['a < b;']],
  ['a > b;', ['a >= b;']],
  ['a >= b;', ['a > b;']],
  ['a === b;', ['a !== b;']],
  ['a !== b;', ['a === b;']],
  ['a && b;', ['a || b;']],
  ['a || b;', ['a && b;']],
  ['a + 1;', ['a + 0;']],
  ['a -= 1;', ['a -= 0;']],
  ['!a;', ['a;']],
  ['f(true);', ['f(false);']],
  ['f(false);', ['f(true);']],
  ['function f() { return a; }', ['function f() { return undefined; }']],
  ['if (a) throw b;', [';']],
  ['for (;;) { if (a) { b(); continue; } }', ['for (;;) { ; }']],
])('plants a fault in %s', (text, expected) => {
  expect(mutated(text)).toEqual(expected);
});

test.each([
  ['import a from "b";'],
  ['type A = true | Map<string, false>;'],
  ['let a: B<true>;'],
  ['@Module({ global: true }) class A {}'],
  ['// a < b'],
  ['"a && b";'],
  ['a * 1; a + 2;'],
  ['function f() { return; }'],
  ['function f() { return undefined; }'],
  ['if (a) b(); else throw c;'],
  ['if (a) b();'],
])('plants none in %s', (text) => {
  expect(mutated(text)).toEqual([]);
});

test('names the line and the change of each fault, in order', () => {
  expect(findMutants('a < b;\nif (c)\n  throw d;').map(({ line, change }) => `${line} ${change}`)).toEqual([
    '1 < → <=',
    '2 no if (c)',
  ]);
});
