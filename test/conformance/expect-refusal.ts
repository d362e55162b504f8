import { deepStrictEqual, fail } from 'node:assert/strict';

/**
 * Throws an AssertionError if the operation is not refused by this rule, or by an error of this name if
 * it has none.
 */
export function expectRefusal(rule: string, operation: () => unknown): void {
  try {
    operation();
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    deepStrictEqual('rule' in error ? error.rule : error.name, rule);
    return;
  }
  fail(`the operation should have been refused by the rule ${rule}`);
}
