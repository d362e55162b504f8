import type { Format } from './payload.ts';

export const atomNamespace = 'http://www.w3.org/2005/Atom';
/** FeedSync 1.1. */
export const syncNamespace = 'http://feedsync.org/2007/feedsync';
/** SSE 1.1: as the specification prints it, and the form that most of its implementations write. */
export const sseNamespaces = {
  https: 'https://www.microsoft.com/schemas/rss/sse',
  http: 'http://www.microsoft.com/schemas/rss/sse',
} as const;
/** Content Sync Extensions. */
export const cseNamespace = 'http://schemas.microsoft.com/rss/2007/contentsyncextensions';
/** Of the attribute in which Feedmesh tells itself an item's exact place (docs/decisions/0010). */
export const positionNamespace = 'urn:feedmesh:position';
export const xhtmlNamespace = 'http://www.w3.org/1999/xhtml';
export const xmlNamespace = 'http://www.w3.org/XML/1998/namespace';

/** The namespace of the elements that a format defines: Atom's, and none for RSS 2.0 and OPML 1.0. */
export function formatNamespace(format: Format): string {
  return format === 'atom' ? atomNamespace : '';
}

/** The element that holds one item. */
export function itemName(format: Format): 'entry' | 'item' | 'outline' {
  return itemNames[format];
}

const itemNames = { atom: 'entry', rss: 'item', opml: 'outline' } as const;
