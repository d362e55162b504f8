import type { FeedHead } from '../feed.ts';
import { atomNamespace, cseNamespace } from '../namespace.ts';
import type { Child } from '../payload.ts';
import { declareOn } from '../start-tag.ts';
import { neededBindings } from '../text-construct.ts';

/** What a feed of a tree says of itself. */
export interface CseHead {
  /** Empty where it has none. */
  readonly title: string;
  /** The other children of its channel that a mirror goes on saying, each as XML that stands on its own. */
  readonly markup: readonly string[];
}

/**
 * What the head of an RSS feed holds for one who publishes its items again. Neither a `lastBuildDate`, which is the publisher's own, nor
 * an `atom:link`, which names the addresses of the feed that was read, is in it. Relative URLs stay as they are.
 */
export function cseHead({ title = '', children, scope }: FeedHead): CseHead {
  const markup = children.filter(isKept).map(({ xml }) => declareOn(xml, { ...scope, namespaces: neededBindings(xml, scope.namespaces, '') }));
  return { title, markup };
}

function isKept({ namespace, name }: Child): boolean {
  switch (namespace) {
    case '': return name !== 'title' && name !== 'lastBuildDate';
    case atomNamespace: return name !== 'link';
    case cseNamespace: return name !== 'lastBuildDate';
    default: return true;
  }
}
