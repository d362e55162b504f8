import { atomNamespace, escapeAttribute, escapeText, readAttributes, writeDeclaration } from '#xml';
import type { Child } from '#xml';
import { withoutForbidden } from '../forbidden-characters.ts';

/** Attributes that stay on an element with another value. */
const kept: ReadonlySet<string> = new Set(['xml:lang', 'xml:base']);

/** The element with a text for its value; `type` is that of an Atom text, absent for plain text. */
export function writeValue(child: Child, text: string, type?: string): Child {
  const attributes = [...readAttributes(child.xml)].filter(([name]) => kept.has(name));
  return element(child, type === undefined ? attributes : [['type', type], ...attributes], text);
}

/** An element that stands in any scope of its format, by its expanded name. */
export function element(
  { namespace, name }: Pick<Child, 'namespace' | 'name'>,
  attributes: readonly (readonly [name: string, value: string])[],
  text = '',
): Child {
  const isOwn = namespace === '' || namespace === atomNamespace;
  const tag = isOwn ? name : `x:${name}`;
  const declaration = writeDeclaration(isOwn ? '' : 'x', namespace);
  const written = attributes.map(([key, value]) => ` ${key}="${escapeAttribute(withoutForbidden(value))}"`);
  const start = `<${tag}${namespace === '' ? '' : declaration}${written.join('')}`;
  return { namespace, name, xml: `${start}>${escapeText(withoutForbidden(text))}</${tag}>` };
}
