import { endBody, failureCause, FetchError } from '#core';
import type { HttpFetch } from '#core';
import { beginDocument } from './begun-document.ts';
import type { BegunDocument } from './begun-document.ts';

/** How many feeds of a page are tried. */
const maximumTried = 3;

/** Causes of failures after which the next feed is tried. */
const deadCauses: ReadonlySet<string> = new Set([
  'http-404',
  'http-410',
  'dns',
  'refused',
  'tls',
  'connection',
  'timeout',
]);

/** Documents that are not mended to a feed. */
const otherKinds: ReadonlySet<BegunDocument['kind']> = new Set([
  'html',
  'sitemap',
  'atom-entry',
  'json',
  'text',
  'binary',
  'empty',
]);

/**
 * Returns the first of a page's feeds that is not dead: gone, unreachable, or not a feed. One that fails for
 * another reason is returned, and so is the only one, without a request.
 * @param urls one at least, the best one first
 * @param heartbeat called before each request
 * @throws FetchError `no-feed-link` if the first ones are dead; as `http.get` does for a busy host
 */
export async function firstLivingFeed(
  http: HttpFetch,
  urls: readonly string[],
  page: string,
  heartbeat: () => Promise<void>,
): Promise<string> {
  if (urls[0] !== undefined && urls.length === 1) return urls[0];
  const faults: string[] = [];
  for (const url of urls.slice(0, maximumTried)) {
    await heartbeat();
    const fault = await faultOf(http, url);
    if (fault === undefined) return url;
    faults.push(fault);
  }
  throw new FetchError(
    'no-feed-link',
    `${page} is an HTML page; of the ${urls.length} feeds that it names, the best ${faults.length} can't ` +
      `be read: ${faults.join('; ')}`,
  );
}

/** Says why a feed is dead; undefined if it is not. */
async function faultOf(http: HttpFetch, url: string): Promise<string | undefined> {
  try {
    const response = await http.get({ url });
    if (response.status !== 'ok') return undefined;
    return otherKinds.has(await kindOf(response)) ? `${url} is not a feed` : undefined;
  } catch (error) {
    if (!(error instanceof FetchError) || isUnsent(error)) throw error;
    return deadCauses.has(failureCause(error)) ? error.message : undefined;
  }
}

async function kindOf(response: BegunDocument['response']): Promise<BegunDocument['kind']> {
  try {
    return (await beginDocument(response)).kind;
  } finally {
    await endBody(response.body);
  }
}

/** Whether nothing was requested because the host is busy or paused. */
function isUnsent({ rule }: FetchError): boolean {
  return rule === 'host-busy' || rule === 'host-paused';
}
