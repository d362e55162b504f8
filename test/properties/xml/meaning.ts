import { SaxesParser } from 'saxes';
import type { SaxesTagNS } from 'saxes';

/** What a piece of XML means, by a reading that shares nothing with the code under test. */
export interface Meaning {
  /** `{namespace}local`. */
  readonly name: string;
  /** By expanded name, in order of name. */
  readonly attributes: readonly (readonly [string, string])[];
  /** Prefixes in scope, in order; a prefix that is bound to nothing is not among them. */
  readonly bindings: ReadonlyMap<string, string>;
  /** The base in force, for a document at `http://document.invalid/dir/`. */
  readonly base: string;
  readonly language: string;
  /**
   * The prefixes that its names have, the empty one for that of an element without, and what stands before a
   * colon in its values.
   */
  readonly prefixes: ReadonlySet<string>;
  /** Elements, texts (with CDATA), comments and processing instructions. */
  readonly content: (Meaning | string)[];
}

/** Reads a document. */
export function meaningOf(xml: string): Meaning {
  const parser = new SaxesParser({ xmlns: true });
  const document: Meaning = {
    name: '',
    attributes: [],
    bindings: new Map(),
    base: 'http://document.invalid/dir/',
    language: '',
    prefixes: new Set(),
    content: [],
  };
  const open: Meaning[] = [document];
  const inside = () => open.at(-1) ?? document;
  const addText = (text: string) => {
    const { content } = inside();
    const last = content.at(-1);
    if (typeof last === 'string' && last.startsWith('text ')) content[content.length - 1] = last + text;
    else if (text !== '') content.push(`text ${text}`);
  };
  parser.on('opentag', (tag) => {
    const element = readElement(tag, inside());
    inside().content.push(element);
    open.push(element);
  });
  parser.on('closetag', () => open.pop());
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.on('comment', (comment) => inside().content.push(`comment ${comment}`));
  parser.on('processinginstruction', ({ target, body }) =>
    inside().content.push(`instruction ${target} ${body}`),
  );
  parser.write(xml).close();
  const root = elementsOf(document)[0];
  if (root === undefined) throw new Error('There is no root.');
  return root;
}

function readElement(tag: SaxesTagNS, parent: Meaning): Meaning {
  const bindings = new Map([...parent.bindings, ...Object.entries(tag.ns)]);
  if (bindings.get('') === '') bindings.delete('');
  const attributes = Object.values(tag.attributes)
    .filter(
      ({ name, prefix }) =>
        name !== 'xmlns' && prefix !== 'xmlns' && name !== 'xml:base' && name !== 'xml:lang',
    )
    .map(({ uri, local, value }) => [`{${uri}}${local}`, value] as const)
    .sort(([one], [other]) => (one < other ? -1 : 1));
  return {
    name: `{${tag.uri}}${tag.local}`,
    attributes,
    bindings,
    base: new URL(tag.attributes['xml:base']?.value ?? '', parent.base).href,
    language: tag.attributes['xml:lang']?.value ?? parent.language,
    prefixes: new Set([
      tag.prefix,
      ...Object.values(tag.attributes).flatMap(({ prefix, name, value }) =>
        ['xml', 'xmlns'].includes(prefix) || name === 'xmlns'
          ? []
          : [...(prefix === '' ? [] : [prefix]), ...beforeColons(value)],
      ),
    ]),
    content: [],
  };
}

/** The child elements of an element. */
export function elementsOf(element: Meaning): Meaning[] {
  return element.content.filter((content) => typeof content !== 'string');
}

/** The first descendant of this name, in document order. */
export function find(element: Meaning, name: string): Meaning | undefined {
  for (const child of elementsOf(element)) {
    const found = child.name === name ? child : find(child, name);
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * The same meaning with, of the prefixes, no more than those that a first reading had: others may come into
 * scope and change nothing.
 */
export function withBindingsOf(element: Meaning, first: Meaning): Meaning {
  const content = element.content.map((content, index) => {
    const counterpart = first.content[index];
    return typeof content === 'string' || counterpart === undefined || typeof counterpart === 'string'
      ? content
      : withBindingsOf(content, counterpart);
  });
  return {
    ...element,
    content,
    bindings: inOrder([...element.bindings].filter(([prefix]) => first.bindings.has(prefix))),
  };
}

/**
 * The same meaning with, of the bindings, those alone that something in it can use: the others may leave the
 * scope.
 */
export function withUsedBindings(element: Meaning, used = prefixesIn(element)): Meaning {
  const content = element.content.map((content) =>
    typeof content === 'string' ? content : withUsedBindings(content, used),
  );
  return {
    ...element,
    content,
    bindings: inOrder([...element.bindings].filter(([prefix]) => used.has(prefix))),
  };
}

function inOrder(bindings: [string, string][]): Meaning['bindings'] {
  return new Map(bindings.sort(byPrefix));
}

function prefixesIn({ prefixes, content }: Meaning): Set<string> {
  return new Set([
    ...prefixes,
    ...content.flatMap((content) =>
      typeof content === 'string' ? beforeColons(content) : [...prefixesIn(content)],
    ),
  ]);
}

/**
 * What stands before colons, as far as the white space of XML (2.3): U+1680, which is white space elsewhere,
 * may be in a name.
 */
function beforeColons(text: string): string[] {
  return Array.from(text.matchAll(/([^ \t\r\n:]+)(?=:)/g), ([name]) => name);
}

function byPrefix([one]: [string, string], [other]: [string, string]): number {
  return one < other ? -1 : 1;
}
