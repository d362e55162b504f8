import type { Sharing } from './feed.ts';
import type { Fragment } from './fragment.ts';
import { checkElements } from './rule-markup.ts';
import type { Vocabulary } from './rule-markup.ts';
import type { XmlElement } from './tree.ts';
import { ViolationList } from './violation-list.ts';
import type { Rule, Violation } from './violation.ts';

/** The sx:sharing of a feed, if it has one, and what it breaks. */
interface ReadSharing {
  readonly sharing?: Sharing;
  readonly violations: readonly Violation[];
}

/**
 * Reads the first `sx:sharing` of a feed (FeedSync 2.2, SSE 2.1), and reports a second one and other elements
 * of the specification that stand beside it.
 * @param elements the children of `feed`, `channel` or `head` that the specification may define
 * @param multiple the rule that a second one breaks
 * @throws FeedError if an element passes a limit
 */
export function readOnlySharing<Name extends string>(
  elements: readonly Fragment[],
  rules: Readonly<Record<Name, Rule>>,
  vocabulary: Vocabulary<Name>,
  multiple: Name,
  readTree: (xml: string) => XmlElement,
  read: (sharing: XmlElement, violations: ViolationList<Name>) => Sharing,
): ReadSharing {
  const found: Violation[] = [];
  let sharing: Sharing | undefined;
  for (const fragment of elements) {
    const root = readTree(fragment.xml);
    const violations = new ViolationList(fragment, rules);
    if (root.name !== 'sharing' || !vocabulary.namespaces.includes(root.namespace))
      checkElements([root], [], violations, vocabulary);
    else if (sharing === undefined) sharing = read(root, violations);
    else violations.add(root, multiple, 'A feed has one sx:sharing; the first is taken.');
    found.push(...violations.all);
  }
  return { ...(sharing !== undefined && { sharing }), violations: found };
}
