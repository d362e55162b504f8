import type { MarkupElement } from './markup-tree.ts';

/** The namespaces that prefixes stand for in feeds that forget to declare them. */
const known: ReadonlyMap<string, string> = new Map([
  ['atom', 'http://www.w3.org/2005/Atom'],
  ['content', 'http://purl.org/rss/1.0/modules/content/'],
  ['dc', 'http://purl.org/dc/elements/1.1/'],
  ['dcterms', 'http://purl.org/dc/terms/'],
  ['feedburner', 'http://rssnamespace.org/feedburner/ext/1.0'],
  ['geo', 'http://www.w3.org/2003/01/geo/wgs84_pos#'],
  ['georss', 'http://www.georss.org/georss'],
  ['googleplay', 'http://www.google.com/schemas/play-podcasts/1.0'],
  ['itunes', 'http://www.itunes.com/dtds/podcast-1.0.dtd'],
  ['media', 'http://search.yahoo.com/mrss/'],
  ['podcast', 'https://podcastindex.org/namespace/1.0'],
  ['rdf', 'http://www.w3.org/1999/02/22-rdf-syntax-ns#'],
  ['slash', 'http://purl.org/rss/1.0/modules/slash/'],
  ['sy', 'http://purl.org/rss/1.0/modules/syndication/'],
  ['taxo', 'http://purl.org/rss/1.0/modules/taxonomy/'],
  ['thr', 'http://purl.org/syndication/thread/1.0'],
  ['wfw', 'http://wellformedweb.org/CommentAPI/'],
  ['prism', 'http://prismstandard.org/namespaces/basic/2.0/'],
  ['xhtml', 'http://www.w3.org/1999/xhtml'],
  ['yt', 'http://www.youtube.com/xml/schemas/2015'],
]);

/** The namespace of a prefix that nothing is known of. */
const unknown = 'urn:feedmesh:undeclared:';

/** The known namespaces without what publishers write in other ways: scheme, case and last slash. */
const byAddress: ReadonlyMap<string, string> = new Map(
  Array.from([...known.values(), 'http://purl.org/atom/ns#'], (namespace) => [
    addressOf(namespace),
    namespace,
  ]),
);

/** Former versions of namespaces. */
const former: ReadonlyMap<string, string> = new Map([
  ['http://purl.org/dc/elements/1.0/', 'http://purl.org/dc/elements/1.1/'],
  ['http://www.rssboard.org/media-rss', 'http://search.yahoo.com/mrss/'],
  ['http://video.search.yahoo.com/mrss', 'http://search.yahoo.com/mrss/'],
  ['http://video.search.yahoo.com/mrss/', 'http://search.yahoo.com/mrss/'],
]);

function addressOf(namespace: string): string {
  return namespace
    .trim()
    .toLowerCase()
    .replace(/^https?:\/\//, '')
    .replace(/[/#]$/, '');
}

/** Returns the known namespace that a variant of it means, such as one with `https:`; others as they are. */
export function canonicalNamespace(namespace: string): string {
  return namespace === ''
    ? namespace
    : (byAddress.get(addressOf(namespace)) ?? former.get(namespace) ?? namespace);
}

/** The prefix of a name; empty if it has none. */
export function prefixOf(name: string): string {
  const colon = name.indexOf(':');
  return colon < 0 ? '' : name.slice(0, colon);
}

/** A name without its prefix. */
export function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

/** The namespaces that an element declares, by prefix; that of the empty one is the default. */
export function declarations({ attributes }: MarkupElement): Map<string, string> {
  const declared = new Map<string, string>();
  for (const [name, value] of attributes)
    if (name === 'xmlns') declared.set('', value);
    else if (name.startsWith('xmlns:')) declared.set(name.slice('xmlns:'.length), value);
  return declared;
}

/** The prefixes that a feed uses where no declaration is in force. */
export class UndeclaredPrefixes {
  readonly #missing = new Set<string>();

  /** Looks for them in an element. */
  collect(element: MarkupElement, outer: ReadonlySet<string> = alwaysDeclared): void {
    const inForce = inForceIn(element, outer);
    for (const name of [element.name, ...element.attributes.keys()])
      if (!inForce.has(prefixOf(name))) this.#missing.add(prefixOf(name));
    for (const child of element.children) if (typeof child !== 'string') this.collect(child, inForce);
  }

  get isEmpty(): boolean {
    return this.#missing.size === 0;
  }

  /** The root with a declaration of each. */
  declaredOn(root: MarkupElement): MarkupElement {
    const added = [...this.#missing].map(
      (prefix) => [`xmlns:${prefix}`, known.get(prefix.toLowerCase()) ?? `${unknown}${prefix}`] as const,
    );
    return { ...root, attributes: new Map([...root.attributes, ...added]) };
  }
}

const alwaysDeclared: ReadonlySet<string> = new Set(['', 'xml', 'xmlns']);

/** The prefixes that are declared in some elements, each in the one before. */
export function prefixesIn(around: readonly MarkupElement[]): ReadonlySet<string> {
  return around.reduce((outer, element) => inForceIn(element, outer), alwaysDeclared);
}

function inForceIn(element: MarkupElement, outer: ReadonlySet<string>): ReadonlySet<string> {
  const declared = element.attributes.size === 0 ? [] : [...declarations(element).keys()];
  return declared.length === 0 ? outer : new Set([...outer, ...declared]);
}
