import { escapeAttribute } from './escape.ts';
import { xmlNamespace } from './namespace.ts';
import type { Attribute } from './payload.ts';
import { writeDeclaration } from './start-tag.ts';

/**
 * Writes attributes by their expanded names, each after a space; declares the prefixes that are not in force.
 */
export function writeAttributes(
  attributes: readonly Attribute[],
  bindings: ReadonlyMap<string, string>,
): string {
  const prefixes = new Map([[xmlNamespace, 'xml']]);
  for (const [prefix, namespace] of bindings) if (prefix !== '') prefixes.set(namespace, prefix);
  let written = '';
  for (const { namespace, name, value } of attributes) {
    let qualified = name;
    if (namespace !== '') {
      let prefix = prefixes.get(namespace);
      if (prefix === undefined) {
        prefix = freePrefix(prefixes, bindings);
        prefixes.set(namespace, prefix);
        written += writeDeclaration(prefix, namespace);
      }
      qualified = `${prefix}:${name}`;
    }
    written += ` ${qualified}="${escapeAttribute(value)}"`;
  }
  return written;
}

function freePrefix(prefixes: ReadonlyMap<string, string>, bindings: ReadonlyMap<string, string>): string {
  for (let number = prefixes.size; ; number += 1) {
    const prefix = `n${number}`;
    if (!bindings.has(prefix) && ![...prefixes.values()].includes(prefix)) return prefix;
  }
}

/**
 * Writes an attribute without a namespace after a space; nothing if it has no value. Throws `FeedError` (rule
 * `xml-character`) for text that XML can't hold.
 */
export function writeAttribute(name: string, value: string | undefined): string {
  return value === undefined ? '' : ` ${name}="${escapeAttribute(value)}"`;
}
