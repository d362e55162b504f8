import { SaxesParser } from 'saxes';
import { readReferences } from './escape.ts';
import type { Child, Scope } from './payload.ts';
import { declareOn, rawAttributes } from './start-tag.ts';
import { scopeOf } from './tree.ts';
import type { XmlElement } from './tree.ts';

/** What one child holds, read through. */
export interface Content {
  /** By name with prefix; no namespace declarations. */
  readonly attributes: ReadonlyMap<string, string>;
  /** All of its character data, one after the other. */
  readonly text: string;
  /** Whether there are elements in it. */
  readonly hasElements: boolean;
}

/**
 * Reads the text and the attributes of one child of an item or a feed. The child has been checked when it was
 * cut out.
 */
export function readContent(child: Child, scope: Scope): Content {
  return readPlainContent(child.xml) ?? parseContent(child, scope);
}

/** The text in an element of a tree, without the white space around it. */
export function textOf(element: XmlElement, xml: string): string {
  const { namespace, name, start, end } = element;
  return readContent({ namespace, name, xml: xml.slice(start, end) }, scopeOf(element)).text.trim();
}

/**
 * The content of a slice that is one element with text and references in it and no other markup, as most are;
 * ten times as fast.
 */
function readPlainContent(xml: string): Content | undefined {
  const attributes = rawAttributes(xml);
  const start = xml.indexOf('>', attributes.at(-1)?.valueEnd ?? 0) + 1;
  const isEmpty = start === xml.length;
  const next = isEmpty ? start : xml.indexOf('<', start);
  if (!isEmpty && next !== xml.lastIndexOf('<')) return undefined;
  const said = attributes.filter(({ name }) => name !== 'xmlns' && !name.startsWith('xmlns:'));
  return {
    attributes: new Map(said.map(({ name, value }) => [name, value])),
    text: readReferences(xml.slice(start, next)),
    hasElements: false,
  };
}

function parseContent(child: Child, scope: Scope): Content {
  const attributes = new Map<string, string>();
  let text = '';
  let elements = 0;
  const add = (piece: string) => {
    text += piece;
  };
  const saxes = new SaxesParser({ xmlns: true });
  saxes.on('opentag', (tag) => {
    elements += 1;
    if (elements > 1) return;
    for (const { name, value, prefix } of Object.values(tag.attributes)) {
      if (name !== 'xmlns' && prefix !== 'xmlns') attributes.set(name, value);
    }
  });
  saxes.on('text', add);
  saxes.on('cdata', add);
  saxes.write(declareOn(child.xml, { namespaces: scope.namespaces })).close();
  return { attributes, text, hasElements: elements > 1 };
}
