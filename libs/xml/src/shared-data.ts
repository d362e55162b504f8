import { atomNamespace } from './namespace.ts';
import type { Child, FeedFormat, Payload } from './payload.ts';
import { rawAttributes } from './start-tag.ts';

/**
 * What an item's elements are called that a format itself defines: RFC 4287 4.1.2, RSS 2.0 "Elements of
 * <item>".
 */
const definedNames: Readonly<Record<FeedFormat, readonly string[]>> = {
  atom: [
    'author',
    'category',
    'content',
    'contributor',
    'id',
    'link',
    'published',
    'rights',
    'source',
    'summary',
    'title',
    'updated',
  ],
  rss: [
    'title',
    'link',
    'description',
    'author',
    'category',
    'comments',
    'enclosure',
    'guid',
    'pubDate',
    'source',
  ],
};

/**
 * What of an item belongs to all endpoints (Implementation Notes, Note 1), by the format that defines it:
 * local names of elements; an Atom link is `link:` and its relation, `link:alternate` if it has none.
 */
export const defaultSharedElements: Readonly<Record<FeedFormat, readonly string[]>> = {
  atom: [
    'title',
    'content',
    'summary',
    'category',
    'rights',
    'link:alternate',
    'link:enclosure',
    'link:related',
    'link:via',
  ],
  rss: ['title', 'description', 'category', 'enclosure', 'link'],
};

/**
 * What of an item that was adopted from a plain feed belongs to all endpoints: its author, its date and its
 * source are those of the feed, and not of an endpoint that publishes it.
 */
export const adoptedSharedElements: Readonly<Record<FeedFormat, readonly string[]>> = {
  atom: [...defaultSharedElements.atom, 'author', 'contributor', 'published', 'source', 'link:replies'],
  rss: [...defaultSharedElements.rss, 'author', 'comments', 'source'],
};

/**
 * The payload without what belongs to its publisher alone. Foreign markup, which neither format defines,
 * always stays (FeedSync 2.1.7); elements of one format that are carried in an item of the other are judged
 * by the list of their own. Returns the payload itself if nothing is dropped.
 */
export function sharedPayload(
  payload: Payload,
  elements: Readonly<Record<FeedFormat, readonly string[]>>,
): Payload {
  const children = payload.children.filter((child) => isShared(child, elements));
  return children.length === payload.children.length ? payload : { ...payload, children };
}

function isShared(child: Child, elements: Readonly<Record<FeedFormat, readonly string[]>>): boolean {
  const format = formatOf(child);
  if (format === undefined || !definedNames[format].includes(child.name)) return true;
  return elements[format].includes(
    format === 'atom' && child.name === 'link' ? `link:${relationOf(child)}` : child.name,
  );
}

function formatOf({ namespace }: Child): FeedFormat | undefined {
  if (namespace === atomNamespace) return 'atom';
  return namespace === '' ? 'rss' : undefined;
}

function relationOf({ xml }: Child): string {
  return (
    rawAttributes(xml)
      .find(({ name }) => name === 'rel')
      ?.value.trim() ?? 'alternate'
  );
}
