import type { Child, Scope } from './payload.ts';
import { declareOn, rawAttributes } from './start-tag.ts';

// A start tag whose name has no prefix; a look-alike in CDATA costs a declaration too many, nothing else.
const plainName = /<[^\s/>:!?<][^\s/>:<]*[\s/>]/;

/** The default namespace that a scope gives to the slices in it; empty for none. */
export function defaultNamespaceOf({ namespaces }: Scope): string {
  return namespaces.find(([prefix]) => prefix === '')?.[1] ?? '';
}

/** Whether an element of the slice may depend on the default namespace around it. */
export function dependsOnDefaultNamespace(xml: string): boolean {
  return plainName.test(xml) && !rawAttributes(xml).some(({ name }) => name === 'xmlns');
}

/**
 * The slice with the default namespace it was cut from declared on it, if one of its elements may depend
 * on that.
 */
export function withDefaultNamespace(xml: string, namespace: string): string {
  return plainName.test(xml) ? declareOn(xml, { namespaces: [['', namespace]] }) : xml;
}

/**
 * The slice without a declaration of its own namespace that it now inherits. Takes a child of a format that
 * defines it.
 */
export function withInheritedNamespace({ namespace, xml }: Child): string {
  const match = /^(<[^\s/>:]+) xmlns=("|')([^"']*)\2/.exec(xml);
  return match === null || match[3] !== namespace ? xml : `${match[1]}${xml.slice(match[0].length)}`;
}
