import type { FeedHead, Child } from '#xml';
import { atomNamespace, withBase, declareOn, neededBindings } from '#xml';
import { cseNamespace } from './namespace.ts';

/** What a feed of a tree says of itself. */
export interface CseHead {
  /** Empty if it has none. */
  readonly title: string;
  /** The other children of its channel that a mirror goes on saying, each as XML that stands on its own. */
  readonly markup: readonly string[];
}

/**
 * What the head of an RSS feed holds for one who publishes its items again. Neither a `lastBuildDate`, which
 * is the publisher's own, nor an `atom:link`, which names the addresses of the feed that was read, is in it.
 * @param base the absolute address that the feed came from, which relative references in it are for
 * @param synchronisation the namespaces whose `sharing` elements are left out: what they say is true of the
 *   publisher's feed alone (FeedSync 2.2)
 */
export function cseHead(
  { title = '', children, scope }: FeedHead,
  base: string,
  synchronisation: readonly string[] = [],
): CseHead {
  const isSharing = ({ namespace, name }: Child) => name === 'sharing' && synchronisation.includes(namespace);
  const kept = children.filter((child) => isKept(child) && !isSharing(child));
  const markup = kept.map((child) => {
    const { scope: own } = withBase({ format: 'rss', children: [child], scope }, base);
    return declareOn(child.xml, { ...own, namespaces: neededBindings(child.xml, scope.namespaces, '') });
  });
  return { title, markup };
}

function isKept({ namespace, name }: Child): boolean {
  switch (namespace) {
    case '':
      return name !== 'title' && name !== 'lastBuildDate';
    case atomNamespace:
      return name !== 'link';
    case cseNamespace:
      return name !== 'lastBuildDate';
    default:
      return true;
  }
}
