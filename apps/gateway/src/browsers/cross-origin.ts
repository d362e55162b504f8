import { parseUrl } from '#xml';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { ProblemError } from '../problems/problem-error.ts';
import type { Step } from '../requests/front.ts';
import { isSafe } from '../requests/safe-methods.ts';

/**
 * Lets a request that may change something pass only if no page of another site has sent it: a browser sends
 * some of them, such as a POST without a body, without asking first (Fetch, CORS-safelisted requests).
 * Requests without `Sec-Fetch-Site` and `Origin` come from other clients and pass.
 * @param publicUrl whose origin is ours besides that of the request's own `Host`
 * @param allowed further origins whose pages may do so; `*` for all
 * @returns a step that throws `ProblemError` 403 `cross-origin`
 */
export function refuseCrossOrigin(publicUrl: string, allowed: readonly string[] = []): Step {
  const ours = new URL(publicUrl).origin;
  const reasonFor = crossOriginReasons(publicUrl, allowed);
  return (request, _response, next) => {
    const { method } = request;
    const reason = reasonFor(request);
    if (reason !== undefined) {
      throw new ProblemError(
        403,
        'cross-origin',
        `A web page of another origin sent this ${method}: ${reason}. ` +
          'Pages at this gateway and clients other than browsers may change something. ' +
          `If this page is the gateway's own, its address must be ${ours} (setting PUBLIC_URL) or have ` +
          'the host of the request.',
      );
    }
    next();
  };
}

/** Tells why `refuseCrossOrigin` does not let a request pass; undefined if it does. */
export function crossOriginReasons(
  publicUrl: string,
  allowed: readonly string[] = [],
): (request: Pick<IncomingMessage, 'method' | 'headers'>) => string | undefined {
  const ours = new URL(publicUrl).origin;
  const isAllowed = (origin: string | undefined): boolean =>
    allowed.includes('*') || (origin !== undefined && allowed.includes(origin));
  return ({ method = '', headers }) =>
    isSafe(method) || isAllowed(headers.origin) ? undefined : crossOriginReason(headers, ours);
}

/** The header that shows that a page of another origin has sent a request; undefined if none does. */
function crossOriginReason(headers: IncomingHttpHeaders, ours: string): string | undefined {
  const [site, origin] = [headers['sec-fetch-site'], headers.origin];
  if (site === 'cross-site' || site === 'same-site') return `Sec-Fetch-Site is ${site}`;
  if (site === 'same-origin' || site === 'none' || origin === undefined) return undefined;
  return origin === ours || hasHost(origin, headers.host) ? undefined : `Origin is ${origin.slice(0, 200)}`;
}

/** Whether an origin has this host and port; the scheme may differ, because a proxy may have ended TLS. */
function hasHost(origin: string, host: string | undefined): boolean {
  const url = /^https?:\/\//.test(origin) ? parseUrl(origin) : undefined;
  return host !== undefined && url !== undefined && parseUrl(`${url.protocol}//${host}`)?.host === url.host;
}
