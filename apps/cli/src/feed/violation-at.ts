import type { Fragment, Rule, Violation } from '#xml';

/** The violation of a rule by an item as a whole. */
export function violationAt<Name extends string>(
  { line, column }: Fragment,
  rules: Readonly<Record<Name, Rule>>,
  rule: Name,
  message: string,
): Violation {
  return { rule, ...rules[rule], message, line, column };
}
