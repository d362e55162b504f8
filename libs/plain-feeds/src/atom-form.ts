import { atomNamespace, xhtmlNamespace } from '#xml';
import type { FeedForm } from './feed-form.ts';
import { elementsOf, textOf } from './markup-tree.ts';
import type { MarkupElement, MarkupNode } from './markup-tree.ts';
import type { Mending } from './mending.ts';
import { canonicalNamespace, declarations, localName, prefixOf } from './namespaces.ts';
import { writeHtml } from './write-markup.ts';

const oldNamespace = 'http://purl.org/atom/ns#';

/** The elements that Atom 1.0 has renamed. */
const renamed: ReadonlyMap<string, string> = new Map([
  ['modified', 'updated'],
  ['issued', 'published'],
  ['created', 'published'],
  ['tagline', 'subtitle'],
  ['copyright', 'rights'],
]);

/** The elements that hold text of some type. */
const constructs: ReadonlySet<string> = new Set(['title', 'summary', 'content', 'subtitle', 'rights']);

/**
 * A feed of Atom, of version 0.3 or without the right namespace, as Atom 1.0 has it (RFC 4287), in the
 * default namespace.
 */
export class AtomForm implements FeedForm {
  readonly depth = 1;
  readonly #own = new Set(['']);
  readonly #isOld: boolean;

  /** @param root its start tag */
  constructor(root: MarkupElement, mending: Mending) {
    const declared = [...declarations(root)].map(
      ([prefix, namespace]) => [prefix, canonicalNamespace(namespace)] as const,
    );
    for (const [prefix, namespace] of declared)
      if (namespace === oldNamespace || namespace === atomNamespace) this.#own.add(prefix);
    if (prefixOf(root.name) !== '') this.#own.add(prefixOf(root.name));
    const namespaces = declared.map(([, namespace]) => namespace);
    this.#isOld = namespaces.includes(oldNamespace) || root.attributes.get('version') === '0.3';
    const isNamed = [...declarations(root).values()].includes(atomNamespace);
    if (!this.#isOld && !isNamed) mending.add('namespace');
  }

  item(item: MarkupElement, around: readonly MarkupElement[]): MarkupElement | undefined {
    return around.length === 1 ? atomElement(item, this.#own, this.#isOld) : undefined;
  }

  feed(root: MarkupElement): MarkupElement {
    const written = atomElement(root, this.#own, this.#isOld);
    const attributes = [...written.attributes].filter(([name]) => !['xmlns', 'version'].includes(name));
    return { ...written, attributes: new Map([['xmlns', atomNamespace], ...attributes]) };
  }
}

function atomElement(element: MarkupElement, own: ReadonlySet<string>, isOld: boolean): MarkupElement {
  const namespace = canonicalNamespace(element.attributes.get('xmlns') ?? '');
  const isOwn = [oldNamespace, atomNamespace, ''].includes(namespace);
  if (!own.has(prefixOf(element.name)) || !isOwn) return element;
  const local = localName(element.name);
  const name = isOld ? (renamed.get(local) ?? local) : local;
  if (constructs.has(name)) return construct(name, element, isOld);
  const attributes = new Map([...element.attributes].filter(([attribute]) => attribute !== 'xmlns'));
  const children = element.children.map((child) =>
    typeof child === 'string' ? child : atomElement(child, own, isOld),
  );
  const isPersonUrl = (child: MarkupNode): boolean => typeof child !== 'string' && child.name === 'url';
  if (!isOld || !['author', 'contributor'].includes(name)) return { name, attributes, children };
  return {
    name,
    attributes,
    children: children.map((child) =>
      typeof child !== 'string' && isPersonUrl(child) ? { ...child, name: 'uri' } : child,
    ),
  };
}

/** A text construct or a content, its type as Atom 1.0 says it. */
function construct(name: string, element: MarkupElement, isOld: boolean): MarkupElement {
  const kept = [...element.attributes].filter(([key]) => !['type', 'mode', 'xmlns'].includes(key));
  const written = element.attributes.get('type')?.trim().toLowerCase() ?? '';
  const mode = isOld ? (element.attributes.get('mode')?.trim().toLowerCase() ?? 'xml') : undefined;
  if (mode === 'base64') return decodedConstruct(name, kept, written, element);
  const hasElements = elementsOf(element).length > 0;
  const type = typeOf(written, mode);
  if (type === 'xhtml' && hasElements) return xhtml(name, kept, element);
  if (hasElements) {
    return { name, attributes: new Map([...kept, ['type', 'html']]), children: [writeHtml(element)] };
  }
  const attributes =
    type === undefined ? kept : [...kept, ['type', type === 'xhtml' ? 'html' : type] as const];
  return { name, attributes: new Map(attributes), children: [textOf(element)] };
}

/** A text of Atom 0.3 in Base64, decoded; other media stay in Base64 (RFC 4287 4.1.3). */
function decodedConstruct(
  name: string,
  kept: [string, string][],
  type: string,
  element: MarkupElement,
): MarkupElement {
  if (type !== '' && !/^text\/|html|xml/.test(type))
    return { name, attributes: new Map([...kept, ['type', type]]), children: element.children };
  const text = Buffer.from(textOf(element), 'base64').toString('utf8');
  const isHtml = /html/.test(type);
  return { name, attributes: new Map(isHtml ? [...kept, ['type', 'html']] : kept), children: [text] };
}

/** The type as Atom 1.0 names it; undefined for plain text. */
function typeOf(written: string, mode: string | undefined): string | undefined {
  if (/xhtml/.test(written)) return 'xhtml';
  if (/html/.test(written)) return mode === 'xml' ? 'xhtml' : 'html';
  if (['', 'text', 'text/plain'].includes(written)) return undefined;
  return mode === undefined ? written : undefined;
}

/** Content in XHTML, which stands in one `div` (RFC 4287 3.1.1.3). */
function xhtml(name: string, kept: [string, string][], element: MarkupElement): MarkupElement {
  const attributes = new Map([...kept, ['type', 'xhtml'] as [string, string]]);
  const [only, second] = elementsOf(element);
  if (only !== undefined && second === undefined && localName(only.name) === 'div') {
    const namespace = canonicalNamespace(only.attributes.get('xmlns') ?? xhtmlNamespace);
    const isPlain = prefixOf(only.name) === '';
    const declared = { ...only, attributes: new Map([...only.attributes, ['xmlns', namespace]]) };
    return { name, attributes, children: [isPlain ? declared : only] };
  }
  const div = { name: 'div', attributes: new Map([['xmlns', xhtmlNamespace]]), children: element.children };
  return { name, attributes, children: [div] };
}
