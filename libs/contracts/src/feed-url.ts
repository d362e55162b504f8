import { z } from 'zod';

/**
 * A host as people type it (a name with a dot, `localhost`, an address), a port, and then a path, a query, a
 * fragment or nothing.
 */
const schemeless =
  /^(?:\/\/)?((?:[\p{L}\p{N}_-]+\.)+[\p{L}\p{N}-]+|localhost|\[[0-9a-f:.]+\])(?::[0-9]{1,5})?(?:[/?#]|$)/iu;
/** Hosts on this machine or given by number, which seldom have a certificate. */
const plainHost = /^(?:localhost|[0-9.]+|\[.*\])$/i;
/** How much of a wrong URL a message repeats, in characters. */
const repeatedLength = 200;

/**
 * Says why a text is not the URL of a feed, in words that can follow its name; undefined for an http or https
 * URL. One without a scheme is named as such, with the URL that was probably meant.
 */
export function explainFeedUrl(text: string): string | undefined {
  const url = text.trim();
  if (isWebUrl(url)) return undefined;
  const shown = url.replace(/^([a-z][a-z0-9+.-]*:)?\/\/[^/?#]*@/i, '$1//');
  const repeated = shown.length > repeatedLength ? `${shown.slice(0, repeatedLength)}…` : shown;
  const suggestion = suggestFeedUrl(repeated);
  if (suggestion === undefined) return `must be an http or https URL; got \`${repeated}\``;
  return `\`${repeated}\` has no scheme; did you mean \`${suggestion}\`?`;
}

/**
 * The URL that a text without a scheme probably stands for; undefined if it does not begin with a host, as
 * `example.org/feed` does.
 */
export function suggestFeedUrl(text: string): string | undefined {
  const host = schemeless.exec(text)?.[1];
  return host === undefined
    ? undefined
    : `${plainHost.test(host) ? 'http' : 'https'}://${text.replace(/^\/\//, '')}`;
}

/** The URL of a feed to subscribe to. */
export const feedUrl = z.url({
  protocol: /^https?$/,
  error: ({ input }) => (typeof input === 'string' ? explainFeedUrl(input) : undefined),
});

/** `URL.canParse` of Node 20 answers wrongly for some texts that are not ASCII. */
function isWebUrl(text: string): boolean {
  try {
    return /^https?:$/.test(new URL(text).protocol);
  } catch {
    return false;
  }
}
