import type { BreachList } from './breach-list.ts';
import { quote } from './breach-list.ts';
import { syncNamespace } from './namespace.ts';
import type { RuleName } from './rule.ts';
import { attributesOf } from './tree.ts';
import type { XmlElement } from './tree.ts';

/** Where each element of FeedSync stands (2.2 to 2.6). */
const places: ReadonlyMap<string, { readonly rule: RuleName; readonly place: string }> = new Map([
  ['sharing', { rule: 'sharing-place', place: 'in an Atom feed or an RSS channel' }],
  ['related', { rule: 'related-place', place: 'in sx:sharing' }],
  ['sync', { rule: 'sync-place', place: 'in an Atom entry or an RSS item' }],
  ['history', { rule: 'history-place', place: 'in sx:sync' }],
  ['conflicts', { rule: 'conflicts-place', place: 'in sx:sync' }],
] as const);

/** Reports elements of the FeedSync namespace that don't belong where they stand, or that FeedSync 1.0.2 does not define. */
export function checkElements(elements: readonly XmlElement[], allowed: readonly string[], breaches: BreachList): void {
  for (const element of elements) {
    if (element.namespace !== syncNamespace || allowed.includes(element.name)) continue;
    const defined = places.get(element.name);
    if (defined === undefined) breaches.add(element, 'element-unknown', `FeedSync 1.0.2 defines no element ${quote(element.name)}; it means nothing here.`);
    else breaches.add(element, defined.rule, `An sx:${element.name} stands ${defined.place}; this one means nothing.`);
  }
}

/** Reports attributes in the FeedSync namespace: 1.0.2 defines none, its own ones have no prefix. */
export function checkAttributes(element: XmlElement, breaches: BreachList): void {
  for (const { namespace, name } of attributesOf(element)) {
    if (namespace === syncNamespace) breaches.add(element, 'attribute-unknown', `The attributes that FeedSync defines have no prefix; ${quote(name)} with one means nothing.`);
  }
}

// A tag, a comment or an escaped character: what plain text that a person reads does not hold.
const markup = /<[A-Za-z/!?]|&(?:[A-Za-z]+|#[0-9]+|#[xX][0-9A-Fa-f]+);/;

/** Whether a text that should be plain (2.1.6) holds HTML or XML. */
export function holdsMarkup(text: string): boolean {
  return markup.test(text);
}
