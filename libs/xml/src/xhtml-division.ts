import { xhtmlNamespace } from './namespace.ts';
import type { Scope } from './payload.ts';
import { declaredBindings, declareOn, rawAttributes } from './start-tag.ts';
import { onlyElement } from './text-content.ts';

/** The `div` in an Atom text of type `xhtml` (RFC 4287, 3.1.1.3). */
export interface XhtmlDivision {
  /** As it is written. */
  readonly xml: string;
  /** The bindings in force around it. */
  readonly namespaces: Scope['namespaces'];
}

/**
 * Finds the `div` in a text that has been checked; undefined if anything else is, or stands beside, its only
 * element.
 */
export function xhtmlDivision(
  xml: string,
  { namespaces }: Pick<Scope, 'namespaces'>,
): XhtmlDivision | undefined {
  const division = onlyElement(xml);
  if (division === undefined) return undefined;
  const outer = declaredBindings(rawAttributes(declareOn(xml, { namespaces })));
  const [, prefix = '', name] = /^<(?:([^\s/>:]+):)?([^\s/>:]+)/.exec(division) ?? [];
  const namespace = new Map([...outer, ...declaredBindings(rawAttributes(division))]).get(prefix);
  return name === 'div' && namespace === xhtmlNamespace
    ? { xml: division, namespaces: outer.filter(([, bound]) => bound !== '') }
    : undefined;
}
