import type { ViolationList } from './violation-list.ts';
import { quote } from './violation-list.ts';
import { attributesOf } from './tree.ts';
import type { XmlElement } from './tree.ts';

/** The elements that a specification defines in its namespace, and what breaks its rules there. */
export interface Vocabulary<Name extends string> {
  /** Its name and version. */
  readonly specification: `${string} ${string}`;
  readonly namespaces: readonly string[];
  /** Where each element stands. */
  readonly places: ReadonlyMap<string, { readonly rule: Name; readonly place: string }>;
  readonly unknownElement: Name;
  readonly unknownAttribute: Name;
}

/**
 * Reports elements of the specification's namespace that don't belong where they stand, or that it does not
 * define.
 */
export function checkElements<Name extends string>(
  elements: readonly XmlElement[],
  allowed: readonly string[],
  violations: ViolationList<Name>,
  vocabulary: Vocabulary<Name>,
): void {
  for (const element of elements) {
    if (!vocabulary.namespaces.includes(element.namespace) || allowed.includes(element.name)) continue;
    const defined = vocabulary.places.get(element.name);
    if (defined === undefined)
      violations.add(
        element,
        vocabulary.unknownElement,
        `${vocabulary.specification} defines no element ${quote(element.name)}; it means nothing here.`,
      );
    else
      violations.add(
        element,
        defined.rule,
        `An sx:${element.name} stands ${defined.place}; this one means nothing.`,
      );
  }
}

/** Reports attributes in the specification's namespace: it defines none, its own ones have no prefix. */
export function checkAttributes<Name extends string>(
  element: XmlElement,
  violations: ViolationList<Name>,
  vocabulary: Vocabulary<Name>,
): void {
  for (const { namespace, name } of attributesOf(element)) {
    if (!vocabulary.namespaces.includes(namespace)) continue;
    const specification = vocabulary.specification.slice(0, vocabulary.specification.indexOf(' '));
    violations.add(
      element,
      vocabulary.unknownAttribute,
      `The attributes that ${specification} defines have no prefix; ${quote(name)} with one means nothing.`,
    );
  }
}

// A tag, a comment or an escaped character: what plain text that a person reads does not hold.
const markup = /<[A-Za-z/!?]|&(?:[A-Za-z]+|#[0-9]+|#[xX][0-9A-Fa-f]+);/;

/** Whether a text that should be plain (2.1.6) holds HTML or XML. */
export function holdsMarkup(text: string): boolean {
  return markup.test(text);
}
