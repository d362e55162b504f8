import type { CseRuleName } from './rule.ts';
import type { ViolationList, XmlElement } from '#xml';
import { quote } from '#xml';

/** The value of an attribute that is "true" or "false"; false if there is none, or another. */
export function readBoolean(
  element: XmlElement,
  name: string,
  value: string | undefined,
  rule: CseRuleName,
  violations: ViolationList<CseRuleName>,
): boolean {
  if (value !== undefined && value !== 'true' && value !== 'false')
    violations.add(
      element,
      rule,
      `The value of ${name} is "true" or "false", not ${quote(value)}; it is taken for "false".`,
    );
  return value === 'true';
}
