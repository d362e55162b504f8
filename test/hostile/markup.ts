export const atomNamespace = 'http://www.w3.org/2005/Atom';
export const syncNamespace = 'http://feedsync.org/2007/feedsync';
export const sseNamespace = 'https://www.microsoft.com/schemas/rss/sse';
export const cseNamespace = 'http://schemas.microsoft.com/rss/2007/contentsyncextensions';

/** An `sx:sync` of one update. */
export function sync(id: string, { by = 'there', inside = '', attributes = '' } = {}): string {
  return `<sx:sync id="${id}" updates="1"${attributes}>${history(1, by)}${inside}</sx:sync>`;
}

export function history(sequence: number | string, by: string, when = '2026-01-01T00:00:00Z'): string {
  return `<sx:history sequence="${sequence}" when="${when}" by="${by}"/>`;
}

/** An Atom entry. */
export function entry(id: string, inside = '', syncElement = sync(id)): string {
  return `<entry><title>T</title>${inside}${syncElement}</entry>`;
}

/** An RSS item of FeedSync. */
export function item(id: string, inside = '', syncElement = sync(id)): string {
  return `<item><title>T</title>${inside}${syncElement}</item>`;
}

interface Around {
  /** Attributes of the root. */
  readonly root?: string;
  /** What stands before the items. */
  readonly head?: string;
  /** What stands before the root. */
  readonly before?: string;
}

/** An Atom feed of FeedSync with this between two entries, `first` and `last`. */
export function atom(poison: string, { root = '', head = '', before = '' }: Around = {}): string {
  return (
    `${before}<feed xmlns="${atomNamespace}" xmlns:sx="${syncNamespace}"${root}>` +
    `<title>F</title>${head}${entry('first')}${poison}${entry('last')}</feed>`
  );
}

/** An Atom feed of FeedSync with an entry `x` between the two. */
export function atomItem(inside = '', syncElement = sync('x')): string {
  return atom(entry('x', inside, syncElement));
}

/** An RSS feed of FeedSync with this between two items, `first` and `last`. */
export function rss(poison: string, { root = '', head = '', before = '' }: Around = {}): string {
  return (
    `${before}<rss version="2.0" xmlns:sx="${syncNamespace}"${root}><channel>` +
    `<title>F</title>${head}${item('first')}${poison}${item('last')}</channel></rss>`
  );
}

/** An RSS feed of FeedSync with an item `x` between the two. */
export function rssItem(inside = '', syncElement = sync('x')): string {
  return rss(item('x', inside, syncElement));
}

/** What the two neighbours of a poisoned item come to. */
export const neighbours = { merged: ['first', 'last'] } as const;

/** The poisoned item is merged as well. */
export function mergedAs(...ids: readonly string[]): { readonly merged: readonly string[] } {
  return { merged: ['first', ...ids, 'last'] };
}

/** The poisoned items are rejected. */
export function rejectedBy(...rules: readonly string[]): {
  readonly merged: readonly string[];
  readonly rejected: readonly string[];
} {
  return { ...neighbours, rejected: rules };
}
