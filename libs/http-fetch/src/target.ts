import { FetchError, parseUrl } from '#core';

/** How long a URL may be that is requested, in UTF-16 code units. */
export const maximumUrlLength = 8192;

/** Where one request of a fetch goes. */
export interface Target {
  /** Without credentials and fragment. */
  readonly url: URL;
  /** Header fields that carry credentials, by name in lower case. */
  readonly credentials: Readonly<Record<string, string>>;
}

/**
 * Reads an address.
 * @param credentials for its origin; what the address itself carries goes before an `authorization` of them
 * @throws FetchError `url` if it is none, `url-length` if it is too long, `url-scheme` if it is neither http
 *   nor https
 */
export function targetOf(address: string, credentials: Target['credentials'] = {}): Target {
  checkLength(address);
  return separate(parsed(address), credentials);
}

function parsed(address: string): URL {
  try {
    return new URL(address);
  } catch {
    throw new FetchError('url', `"${address}" is not an absolute URL`);
  }
}

/**
 * Where a redirect leads. Credentials stay within one origin, unless the new address brings its own. Throws
 * `FetchError` (`redirect-insecure`) from https to http, and what `targetOf` throws.
 */
export function redirectedTarget(from: Target, location: string): Target {
  const url = parseUrl(location, from.url.href);
  if (url === undefined)
    throw new FetchError(
      'url',
      `${from.url.href} redirects to "${location.slice(0, 100)}", which is not a URL`,
    );
  checkLength(url.href);
  const to = separate(url, url.origin === from.url.origin ? from.credentials : {});
  if (from.url.protocol === 'https:' && to.url.protocol === 'http:') {
    throw new FetchError('redirect-insecure', `${from.url.href} redirects from https to ${to.url.href}`);
  }
  return to;
}

function checkLength(url: string): void {
  if (url.length > maximumUrlLength)
    throw new FetchError(
      'url-length',
      `the URL that begins with "${url.slice(0, 100)}" has ${url.length} characters; at most ` +
        `${maximumUrlLength} are requested (limit "urlLength")`,
    );
}

function separate(url: URL, credentials: Target['credentials']): Target {
  const { username, password } = url;
  // Each of these writes the whole URL anew, and most have none of them.
  if (username !== '') url.username = '';
  if (password !== '') url.password = '';
  if (url.href.includes('#')) url.hash = '';
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new FetchError('url-scheme', `${url.href} is neither http nor https`);
  }
  if (username === '' && password === '') return { url, credentials };
  const pair = Buffer.from(`${decoded(username)}:${decoded(password)}`, 'utf8');
  return { url, credentials: { ...credentials, authorization: `Basic ${pair.toString('base64')}` } };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
