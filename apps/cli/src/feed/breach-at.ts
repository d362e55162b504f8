import { rules } from '#feed-xml';
import type { Breach, Fragment, RuleName } from '#feed-xml';

/** The breach of a rule by an item as a whole. */
export function breachAt({ line, column }: Fragment, rule: RuleName, message: string): Breach {
  return { rule, ...rules[rule], message, line, column };
}
