import { SaxesParser } from 'saxes';
import type { Child, Scope } from './payload.ts';
import { declareOn } from './start-tag.ts';

/** A piece of what a child holds, itself first: the beginning of an element, its end, or text. */
export type Markup =
  | {
      readonly kind: 'start';
      readonly namespace: string;
      readonly name: string;
      /** Without namespace declarations. */
      readonly attributes: readonly {
        readonly namespace: string;
        readonly name: string;
        readonly value: string;
      }[];
    }
  | { readonly kind: 'end' }
  /** Character data up to the next tag, however it was written. */
  | { readonly kind: 'text'; readonly text: string };

const declarations = 'http://www.w3.org/2000/xmlns/';

/** Reads all of one child of an item or a feed, which was checked when it was cut out. */
export function readMarkup(child: Child, scope: Scope): readonly Markup[] {
  const pieces: Markup[] = [];
  let text = '';
  const endText = (): void => {
    if (text !== '') pieces.push({ kind: 'text', text });
    text = '';
  };
  const saxes = new SaxesParser({ xmlns: true });
  saxes.on('opentag', ({ uri, local, attributes }) => {
    endText();
    const own = Object.values(attributes).flatMap(({ uri: namespace, local: name, value }) =>
      namespace === declarations ? [] : [{ namespace, name, value }],
    );
    pieces.push({ kind: 'start', namespace: uri, name: local, attributes: own });
  });
  saxes.on('closetag', () => {
    endText();
    pieces.push({ kind: 'end' });
  });
  saxes.on('text', (piece) => (text += piece));
  saxes.on('cdata', (piece) => (text += piece));
  saxes.write(declareOn(child.xml, { namespaces: scope.namespaces })).close();
  return pieces;
}
