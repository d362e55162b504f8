import {
  atomNamespace,
  authorsOf,
  childElements,
  hasRelativeReferences,
  isUrl,
  readContent,
  declareOn,
} from '#xml';
import type { Child, FeedHead, Payload } from '#xml';

/** What an item takes from the feed that it is in. */
export type FeedContext = Pick<FeedHead, 'children' | 'scope'>;

/**
 * The authors of an entry of Atom that has none itself: those of its source, else those of its feed (RFC 4287
 * 4.2.1).
 */
export function inheritedElements(
  children: readonly Child[],
  { format, scope }: Payload,
  feed: FeedContext,
): Child[] {
  if (format !== 'atom' || authorsOf(children, scope).length > 0) return [];
  const ofSource = children
    .filter((child) => isOfAtom(child, 'source'))
    .flatMap((child) => childElements(child, scope))
    .filter((child) => isOfAtom(child, 'author'));
  if (ofSource.length > 0) return ofSource;
  return feed.children
    .filter((child) => isOfAtom(child, 'author'))
    .map((child) => ({ ...child, xml: declareOn(child.xml, feed.scope) }));
}

/** The item of an RSS feed with the address of the feed's page for its base, if it has relative addresses. */
export function withFeedBase(payload: Payload, { children }: FeedContext): Payload {
  const { format, scope } = payload;
  if (format !== 'rss' || scope.base !== undefined || !hasRelativeReferences(payload)) return payload;
  const link = children
    .filter(({ namespace, name }) => namespace === '' && name === 'link')
    .map(({ xml }) => readContent(xml).text.trim())
    .find((text) => /^https?:/i.test(text) && isUrl(text));
  return link === undefined ? payload : { ...payload, scope: { ...scope, base: link } };
}

function isOfAtom({ namespace, name }: Pick<Child, 'namespace' | 'name'>, wanted: string): boolean {
  return namespace === atomNamespace && name === wanted;
}
