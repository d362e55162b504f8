import { SaxesParser } from 'saxes';

/** An element as it stands in a document; comments and the way namespaces are declared are left out. */
export interface PlainElement {
  readonly namespace: string;
  readonly name: string;
  /** In the order of their names, `{namespace}name` if they have a prefix. */
  readonly attributes: Readonly<Record<string, string>>;
  /** Elements and text between them, in order. */
  readonly children: readonly (PlainElement | string)[];
}

const declarations = 'http://www.w3.org/2000/xmlns/';

/** Reads a document without anything of what is under test. Throws if it is not well-formed. */
export function readPlainElement(text: string): PlainElement {
  const parser = new SaxesParser({ xmlns: true });
  const root = { namespace: '', name: '', attributes: {}, children: new Array<PlainElement | string>() };
  const open: { readonly children: (PlainElement | string)[] }[] = [root];
  const append = (child: PlainElement | string): void => {
    const children = open.at(-1)?.children;
    const last = children?.at(-1);
    if (typeof child === 'string' && typeof last === 'string') children?.splice(-1, 1, last + child);
    else children?.push(child);
  };
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ uri, local, attributes }) => {
    const own = Object.values(attributes).filter((attribute) => attribute.uri !== declarations);
    const values = own.map(
      (attribute) =>
        [
          attribute.uri === '' ? attribute.local : `{${attribute.uri}}${attribute.local}`,
          attribute.value,
        ] as const,
    );
    const element = {
      namespace: uri,
      name: local,
      attributes: Object.fromEntries(values.toSorted(([a], [b]) => (a < b ? -1 : 1))),
      children: new Array<PlainElement | string>(),
    };
    append(element);
    open.push(element);
  });
  parser.on('text', append);
  parser.on('cdata', append);
  parser.on('closetag', () => {
    open.pop();
  });
  parser.write(text).close();
  const [document] = elementsIn(root);
  if (document === undefined) throw new Error('The document has no element.');
  return document;
}

export function elementsIn({ children }: Pick<PlainElement, 'children'>): PlainElement[] {
  return children.filter((child) => typeof child !== 'string');
}
