import { targetAddress } from '#items';
import type { Collection, TreeLink } from '#ports';

/** Where the bytes with this digest are published; a link's address ends in a name besides. */
export function fileUrl(publicUrl: string, collection: string, digest: string): string {
  return `${publicUrl}/files/${collection}/${digest}`;
}

/** Where a link leads in our feed: to what we have of it, unless it is to keep the address of its source. */
export function linkUrl(publicUrl: string, { name, settings }: Pick<Collection, 'name' | 'settings'>, { target, url }: Pick<TreeLink, 'target' | 'url'>): string {
  if (url !== undefined && (target === undefined || settings.links === 'original')) return url;
  if (target === undefined) throw new TypeError('A link has an address or a target; this one has neither.');
  return targetAddress(publicUrl, name, target);
}
