import { escapeText } from './escape.ts';
import { FeedError } from './feed-error.ts';
import { xhtmlNamespace } from './namespace.ts';
import { usedBindings } from './needed-scope.ts';
import type { Child, Scope } from './payload.ts';
import { declareOn } from './start-tag.ts';
import { readContent } from './text-content.ts';
import { readTree, versionLimits } from './tree.ts';
import { xhtmlDivision } from './xhtml-division.ts';

/**
 * The value of an Atom text construct (RFC 4287, 3.1): plain text, HTML as text, or an XHTML `div` as XML
 * with its declarations.
 */
export interface TextConstruct {
  readonly value: string;
  /** Absent for plain text. */
  readonly type?: 'html' | 'xhtml';
}

/** Reads a text construct, whatever its further attributes are; undefined for what is none. */
export function readTextConstruct(child: Child, scope: Scope): TextConstruct | undefined {
  const { attributes, text, hasElements } = readContent(child.xml);
  const type = attributes.get('type')?.trim().toLowerCase() ?? 'text';
  if (attributes.has('src')) return undefined;
  if (type === 'xhtml') return readDivision(child, scope);
  if (hasElements) return undefined;
  if (type === 'html' || type === 'text/html') return { value: text, type: 'html' };
  return type === 'text' || type === 'text/plain' ? { value: text } : undefined;
}

function readDivision(child: Child, scope: Scope): TextConstruct | undefined {
  const division = xhtmlDivision(child.xml, scope);
  if (division === undefined) return undefined;
  const { xml, namespaces } = division;
  return { value: declareOn(xml, { namespaces: neededBindings(xml, namespaces, '') }), type: 'xhtml' };
}

/** Of some bindings those that a slice may use if the given default namespace is in force and no other. */
export function neededBindings(
  slice: string,
  namespaces: Scope['namespaces'],
  defaultNamespace: string,
): Scope['namespaces'] {
  const own = namespaces.find(([prefix]) => prefix === '')?.[1] ?? '';
  const used = usedBindings(slice, namespaces);
  return own === defaultNamespace ? used : [...used, ['', own]];
}

/**
 * Writes a text construct as an element without a prefix. Throws `FeedError` for an unknown type, or XHTML
 * that is not one well-formed `div`.
 */
export function writeTextConstruct(name: string, value: string, type = 'text'): string {
  switch (type) {
    case 'text':
      return `<${name}>${escapeText(value)}</${name}>`;
    case 'html':
      return `<${name} type="html">${escapeText(value)}</${name}>`;
    case 'xhtml':
      return `<${name} type="xhtml">${checkDivision(name, value)}</${name}>`;
    default:
      throw fieldError(
        'field-type',
        `The type of ${name} is "text", "html" or "xhtml", not ${JSON.stringify(type.slice(0, 60))}.`,
      );
  }
}

function checkDivision(name: string, value: string): string {
  const { namespace, name: root } = readTree(value, {}, versionLimits);
  if (root !== 'div' || namespace !== xhtmlNamespace)
    throw fieldError(
      'field-xhtml',
      `XHTML in ${name} is one div element in the namespace ${xhtmlNamespace}.`,
    );
  return value;
}

/** That a field of an item is not what it may be. */
export function fieldError(rule: string, message: string): FeedError {
  return new FeedError({ rule, section: 'RFC 4287 3.1, RSS 2.0, OPML 1.0', message, line: 1, column: 1 });
}
