import type { BreachList } from '../breach-list.ts';
import { quote } from '../breach-list.ts';
import type { RuleName } from '../rule.ts';
import { readContent } from '../text-content.ts';
import { scopeOf } from '../tree.ts';
import type { XmlElement } from '../tree.ts';

/** The text in an element, without the white space around it. */
export function textOf(element: XmlElement, xml: string): string {
  const { namespace, name, start, end } = element;
  return readContent({ namespace, name, xml: xml.slice(start, end) }, scopeOf(element)).text.trim();
}

/** The value of an attribute that is "true" or "false"; false where there is none, or another. */
export function readBoolean(element: XmlElement, name: string, value: string | undefined, rule: RuleName, breaches: BreachList): boolean {
  if (value !== undefined && value !== 'true' && value !== 'false') breaches.add(element, rule, `The value of ${name} is "true" or "false", not ${quote(value)}; it is taken for "false".`);
  return value === 'true';
}
