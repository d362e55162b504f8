import { atomNamespace, escapeAttribute, escapeText, readAttributes, writeDeclaration } from '#xml';
import type { Child } from '#xml';
import { withoutForbidden } from '../forbidden-characters.ts';

/** The element with a text for its value; `type` is that of an Atom text, absent for plain text. */
export function writeValue(child: Child, text: string, type?: string): Child {
  const attributes = [...readAttributes(child.xml)].filter(([name]) => isKept(name));
  return element(child, type === undefined ? attributes : [['type', type], ...attributes], text);
}

/** Whether an attribute stays on an element with another value: one of XML, or of the format. */
function isKept(name: string): boolean {
  return /^xml:(?:lang|base)$/.test(name) || !(name.includes(':') || name === 'type' || name === 'href');
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
