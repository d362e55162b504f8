import type { Step } from '../requests/front.ts';

/** What pages may read of a response besides what every page may (Fetch, CORS-safelisted headers). */
const exposed = ['ETag', 'Link', 'Location', 'RateLimit', 'RateLimit-Policy', 'Retry-After', 'X-Request-Id'];
const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];
/** Seconds for which a browser may remember what is allowed. */
const maxAge = 600;

/**
 * Lets pages of these origins use the API (Fetch, CORS): with a key that they send, and never with what a
 * browser sends by itself. Responds to OPTIONS, with which a browser asks what is allowed.
 * @param origins such as `https://console.example`; `*` for all; none if no page may
 */
export function allowOrigins(origins: readonly string[]): Step {
  return (request, response, next) => {
    const { method, headers } = request;
    const reading = Object.entries(readingHeaders(origins, headers.origin));
    for (const [name, value] of reading) response.setHeader(name, value);
    if (method !== 'OPTIONS' || origins.length === 0) return next();
    response.appendHeader('Vary', 'Access-Control-Request-Headers');
    const wanted = headers['access-control-request-headers'];
    if (wanted !== undefined) response.setHeader('Access-Control-Allow-Headers', wanted);
    response.writeHead(204, {
      'Access-Control-Allow-Methods': methods.join(','),
      'Access-Control-Max-Age': maxAge,
      'Content-Length': 0,
    });
    response.end();
  };
}

/** The headers by which a page of this origin may read a response; none if no page may. */
export function readingHeaders(
  origins: readonly string[],
  origin: string | undefined,
): Readonly<Record<string, string>> {
  if (origins.length === 0) return {};
  const exposedHeaders = { 'Access-Control-Expose-Headers': exposed.join(',') };
  if (origins.includes('*')) return { 'Access-Control-Allow-Origin': '*', ...exposedHeaders };
  const isAllowed = origin !== undefined && origins.includes(origin);
  return { ...(isAllowed && { 'Access-Control-Allow-Origin': origin }), Vary: 'Origin', ...exposedHeaders };
}
