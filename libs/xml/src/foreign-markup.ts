import { checkAttributeCount } from './attribute-count.ts';
import { defaultNamespaceOf, withDefaultNamespace } from './default-namespace.ts';
import { FeedError } from './feed-error.ts';
import type { FeedHead } from './feed.ts';
import { atomNamespace } from './namespace.ts';
import { usedBindings } from './needed-scope.ts';
import { declareOn } from './start-tag.ts';
import { readTree, versionLimits } from './tree.ts';

/** How many pieces of foreign markup of a head are taken, the first ones. */
const maximumChildren = 5000;

/**
 * The children of a head that are foreign markup (FeedSync 2.1.7), each as XML that stands on its own,
 * without comments. Neither Atom's nor RSS's elements are: an `atom:link` in an RSS channel is
 * its publisher's. RSS 2.0 asks that what it doesn't define is in a namespace, so an element without one, or
 * in the default namespace of an RSS feed, is taken for RSS's own.
 * @param synchronisation the namespaces of synchronisation data, which is not foreign either
 */
export function foreignMarkup(
  { format, children, scope }: FeedHead,
  synchronisation: readonly string[],
): string[] {
  const defaultNamespace = defaultNamespaceOf(scope);
  const known = new Set([
    '',
    atomNamespace,
    ...synchronisation,
    ...(format === 'rss' ? [defaultNamespace] : []),
  ]);
  return children
    .filter(({ namespace }) => !known.has(namespace))
    .slice(0, maximumChildren)
    .map(({ xml }) => {
      const slice = withoutComments(xml);
      return declareOn(withDefaultNamespace(slice, defaultNamespace), {
        ...scope,
        namespaces: usedBindings(slice, scope.namespaces),
      });
    });
}

/**
 * Whether readers take a piece of foreign markup in a feed of ours: whether it keeps the limits of an item.
 */
export function isRepublishable(markup: string): boolean {
  try {
    checkAttributeCount(Object.keys(readTree(markup, {}, versionLimits).tag.attributes).length);
    return true;
  } catch (error) {
    if (error instanceof FeedError) return false;
    throw error;
  }
}

/** How markup begins in which nothing is a comment, or that is one, and how it ends. */
const ends: ReadonlyMap<string, string> = new Map([
  ['<!--', '-->'],
  ['<?', '?>'],
  ['<![CDATA[', ']]>'],
]);

function withoutComments(xml: string): string {
  let [kept, from] = ['', 0];
  for (const { 0: beginning, index } of xml.matchAll(/<!--|<\?|<!\[CDATA\[/g)) {
    if (index < from) continue;
    const end = ends.get(beginning) ?? '';
    if (beginning === '<!--') kept += xml.slice(from, index);
    const next = xml.indexOf(end, index + beginning.length) + end.length;
    if (beginning !== '<!--') kept += xml.slice(from, next);
    from = next;
  }
  return kept + xml.slice(from);
}
