import { SaxesParser } from 'saxes';
import type { Child, Scope } from './payload.ts';
import { declareOn } from './start-tag.ts';

/** What one child holds, read through. */
export interface Content {
  /** By name with prefix; no namespace declarations. */
  readonly attributes: ReadonlyMap<string, string>;
  /** All of its character data, one after the other. */
  readonly text: string;
  /** Whether there are elements in it. */
  readonly hasElements: boolean;
}

/** Reads the text and the attributes of one child of an item or a feed. The child has been checked when it was cut out. */
export function readContent(child: Child, scope: Scope): Content {
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
