import { pathSegment, textOfPathSegment } from '#contracts';
import { nameOf, rootFeed } from '#core';
import type { Collection, CollectionKey, TreeLink } from '#core';

/** What of ours an address names; a file's address may leave its name out. */
type AddressTarget = { readonly feed: string } | { readonly file: string; readonly name?: string };

/**
 * Where a feed of a tree is read. `publicUrl` is where this endpoint is reached, without a slash at its end.
 */
export function feedAddress(publicUrl: string, collection: CollectionKey, feed: string): string {
  return feed === rootFeed
    ? `${publicUrl}/feeds/${nameOf(collection)}.rss`
    : `${publicUrl}/feeds/${nameOf(collection)}/${feed}.rss`;
}

/** Where a file is read. */
export function fileAddress(
  publicUrl: string,
  collection: CollectionKey,
  digest: string,
  name: string,
): string {
  return `${publicUrl}/files/${nameOf(collection)}/${digest}/${pathSegment(name)}`;
}

/** Where what a link refers to is read. */
export function targetAddress(
  publicUrl: string,
  collection: CollectionKey,
  target: NonNullable<TreeLink['target']>,
): string {
  return 'feed' in target
    ? feedAddress(publicUrl, collection, target.feed)
    : fileAddress(publicUrl, collection, target.file, target.name);
}

/**
 * Where a link leads in our feed: to what we have of it, unless it is to keep the address of its source.
 * Throws `TypeError` for a link with neither.
 */
export function linkAddress(
  publicUrl: string,
  { key, settings }: Pick<Collection, 'key' | 'settings'>,
  { target, url }: Pick<TreeLink, 'target' | 'url'>,
): string {
  if (url !== undefined && (target === undefined || settings.links === 'original')) return url;
  if (target === undefined) throw new TypeError('A link has an address or a target; this one has neither.');
  return targetAddress(publicUrl, key, target);
}

/** The feed or the file of this collection that is read at this URL; undefined for any other URL. */
export function targetAt(
  url: string,
  publicUrl: string,
  collection: CollectionKey,
): AddressTarget | undefined {
  if (!url.startsWith(`${publicUrl}/`)) return undefined;
  const [kind, ...path] = url.slice(publicUrl.length + 1).split('/');
  const [first = '', second = ''] = path;
  if (kind === 'feeds' && path.length === 1 && first === `${nameOf(collection)}.rss`)
    return { feed: rootFeed };
  if (first !== nameOf(collection)) return undefined;
  if (kind === 'feeds' && path.length === 2 && second.endsWith('.rss')) return { feed: second.slice(0, -4) };
  if (kind !== 'files' || path.length > 3 || !/^[0-9a-f]{64}$/.test(second)) return undefined;
  const name = decoded(path[2] ?? '');
  return { file: second, ...(name !== '' && { name }) };
}

function decoded(segment: string): string {
  try {
    return textOfPathSegment(decodeURIComponent(segment)) ?? segment;
  } catch {
    return segment;
  }
}
