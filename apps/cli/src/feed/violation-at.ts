import { rules } from '#xml';
import type { Violation, Fragment, RuleName } from '#xml';

/** The violation of a rule by an item as a whole. */
export function violationAt({ line, column }: Fragment, rule: RuleName, message: string): Violation {
  return { rule, ...rules[rule], message, line, column };
}
