import type { Format } from './payload.ts';

export const atomNamespace = 'http://www.w3.org/2005/Atom';
/** The RSS module of `content:encoded`. */
export const contentNamespace = 'http://purl.org/rss/1.0/modules/content/';
export const dublinCoreNamespace = 'http://purl.org/dc/elements/1.1/';
export const dublinCoreTermsNamespace = 'http://purl.org/dc/terms/';
export const podcastNamespace = 'http://www.itunes.com/dtds/podcast-1.0.dtd';
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
