import type { FeedHead } from './feed.ts';
import { formatNamespace } from './namespace.ts';
import { readSyndication } from './syndication.ts';
import { readContent } from './text-content.ts';

/** Reads what the format's own children of `feed`, `channel` or `head` say. */
export function readHead(
  read: Pick<FeedHead, 'format' | 'children' | 'scope'>,
): Omit<FeedHead, 'sharing' | 'violations'> {
  const { format, children } = read;
  const textOf = (name: string) => {
    const child = children.find(
      (child) => child.name === name && child.namespace === formatNamespace(format),
    );
    return child === undefined ? undefined : readContent(child.xml).text.trim();
  };
  const title = textOf('title');
  const ttl = format === 'rss' ? textOf('ttl') : undefined;
  const syndication = readSyndication(children);
  return {
    ...read,
    ...(title !== undefined && { title }),
    ...(ttl !== undefined && /^[0-9]{1,9}$/.test(ttl) && { ttl: Number(ttl) }),
    ...(syndication && { syndication }),
  };
}
