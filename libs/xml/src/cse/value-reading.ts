import type { ViolationList } from '../violation-list.ts';
import { quote } from '../violation-list.ts';
import type { RuleName } from '../rule.ts';
import type { XmlElement } from '../tree.ts';

/** The value of an attribute that is "true" or "false"; false where there is none, or another. */
export function readBoolean(
  element: XmlElement,
  name: string,
  value: string | undefined,
  rule: RuleName,
  violations: ViolationList,
): boolean {
  if (value !== undefined && value !== 'true' && value !== 'false')
    violations.add(
      element,
      rule,
      `The value of ${name} is "true" or "false", not ${quote(value)}; it is taken for "false".`,
    );
  return value === 'true';
}
