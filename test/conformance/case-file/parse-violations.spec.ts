import { expect, test } from '@jest/globals';
import { parseViolations } from './parse-violations.ts';

test('reads place, severity and rule', () => {
  expect(parseViolations(['3:14 error sync-id-required', '5 warning history-by-syntax'])).toEqual([
    { rule: 'sync-id-required', severity: 'error', line: 3, column: 14 },
    { rule: 'history-by-syntax', severity: 'warning', line: 5 },
  ]);
  expect(parseViolations('none')).toEqual([]);
});

test.each([[['sync-id-required']], [['3:x error a']], [['3:1 error']], [[7]], 'nothing', '', undefined, {}])(
  'refuses %j',
  (value) => {
    expect(() => parseViolations(value)).toThrow(
      /^expected `LINE:COLUMN SEVERITY RULE`|^`violations` must be/,
    );
  },
);
