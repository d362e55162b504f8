import { createHash } from 'node:crypto';
import { rootFeed } from '#core';

const maximumSlugLength = 40;

/**
 * The id of a mirrored feed: `root` for the root of the tree; for any other the end of its URL's path in
 * readable letters and a part of the URL's SHA-256, so that two feeds never share one. It matches
 * `[a-z0-9][a-z0-9-]{0,62}`.
 * @param url absolute
 * @param root the URL of the root of the tree
 */
export function feedIdOf(url: string, root: string): string {
  const { href, pathname } = withoutFragment(url);
  if (href === withoutFragment(root).href) return rootFeed;
  return `${slugOf(pathname)}-${createHash('sha256').update(href).digest('hex').slice(0, 16)}`;
}

/** The last segment of a path that has letters or digits in it, without its extension. */
function slugOf(pathname: string): string {
  const segments = pathname.split('/').map((segment) => readable(segment.replace(/(?<=.)\.[^.]*$/, '')));
  return (segments.findLast((segment) => segment !== '') ?? 'feed')
    .slice(0, maximumSlugLength)
    .replace(/-$/, '');
}

function readable(segment: string): string {
  return segment
    .toLowerCase()
    .replace(/%[0-9a-f]{2}/g, '-')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}

function withoutFragment(url: string): URL {
  const parsed = new URL(url);
  parsed.hash = '';
  return parsed;
}
