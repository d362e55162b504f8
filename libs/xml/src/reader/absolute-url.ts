import { parseUrl } from '../url.ts';
/** What a reader must not be led to: these run or hold content themselves. */
const refusedSchemes: readonly string[] = ['javascript:', 'vbscript:', 'data:'];

/**
 * The characters that may not stand in a URI (RFC 3986, 2) and that `URL` leaves alone; a percent sign only
 * before two digits.
 */
const notOfUri = /[^A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=%]|%(?![0-9A-Fa-f]{2})/g;

/**
 * A reference as an absolute URI (RFC 3986), as strict readers of feeds expect it. Returns undefined for what
 * is none, or not without a base, and for one that would run in the reader.
 * @param base absolute
 */
export function absoluteUrl(reference: string, base?: string): string | undefined {
  const text = reference.trim();
  const url = text === '' ? undefined : parseUrl(text, base);
  if (url === undefined || refusedSchemes.includes(url.protocol)) return undefined;
  const { href } = url;
  const [authority] = /^[^/?#]*(?:\/\/[^/?#]*)?/.exec(href) ?? [''];
  const rest = href.slice(authority.length).replace(notOfUri, encodeURIComponent);
  // Brackets stand around an IPv6 address and nowhere else.
  return authority.replace(notOfUri, encodeURIComponent) + rest.replace(/[[\]]/g, encodeURIComponent);
}

/** Whether something can be fetched over HTTP, as RSS requires of an enclosure. */
export function isHttp(url: string): boolean {
  return /^https?:\/\//.test(url);
}
