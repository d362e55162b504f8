import type { FeedHead } from './feed.ts';
import type { Fragment } from './fragment.ts';
import { formatNamespace } from './namespace.ts';
import type { Child, Format, Scope } from './payload.ts';
import { readSharing } from './sharing.ts';
import { readContent } from './text-content.ts';

/**
 * What the children of `feed` or `channel` say. `sync` are those in the namespace of FeedSync. Throws `FeedError` where one of these passes a limit.
 */
export function readHead(format: Format, children: readonly Child[], scope: Scope, sync: readonly Fragment[]): FeedHead {
  const textOf = (name: string) => {
    const child = children.find((child) => child.name === name && child.namespace === formatNamespace(format));
    return child === undefined ? undefined : readContent(child, scope).text.trim();
  };
  const title = textOf('title');
  const ttl = format === 'rss' ? textOf('ttl') : undefined;
  const { sharing, breaches } = readSharing(sync);
  return {
    format,
    ...(title !== undefined && { title }),
    ...(sharing !== undefined && { sharing }),
    ...(ttl !== undefined && /^[0-9]{1,9}$/.test(ttl) && { ttl: Number(ttl) }),
    children,
    scope,
    breaches,
  };
}
