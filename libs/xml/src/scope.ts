import { resolveBase } from './base.ts';
import type { Scope } from './payload.ts';
import type { ElementTag } from './element-tag.ts';

/**
 * The scope inside an element that stands in the given one. Takes what the parser reports of the element's
 * tag.
 */
export function scopeInside(outer: Scope, tag: ElementTag): Scope {
  const own = Object.entries(tag.ns).filter(([prefix]) => prefix !== 'xml' && prefix !== 'xmlns');
  const base = resolveBase(outer.base, tag.attributes['xml:base']?.value);
  const language = tag.attributes['xml:lang']?.value ?? outer.language;
  const namespaces = own.length === 0 ? outer.namespaces : bindings(outer.namespaces, own);
  // An empty xml:lang says that the language is not known: the same as none.
  return {
    namespaces,
    ...(base !== undefined && { base }),
    ...(language !== undefined && language !== '' && { language }),
  };
}

function bindings(outer: Scope['namespaces'], own: readonly [string, string][]): Scope['namespaces'] {
  const all = new Map([...outer, ...own]);
  if (all.get('') === '') all.delete('');
  return [...all];
}
