import { FetchError } from '#core';
import type { FetchRequest, FetchResponse, Freshness, HttpFetch } from '#core';

/** What a served address returns. Names of `headers` are in lower case. */
export interface MemoryAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

/** Responds to one GET; may throw a `FetchError` to play a broken network. */
export type MemoryHandler = (request: FetchRequest) => MemoryAnswer | Promise<MemoryAnswer>;

/** A network within this process. */
export interface MemoryHttp extends HttpFetch {
  /** Responds to GETs of exactly this address from now on, in place of an earlier handler. */
  serve(url: string, handler: MemoryHandler): void;
}

/**
 * A network of the served addresses only: any other is a `FetchError` (`connection`). A response with status
 * 200 and the `etag` or `last-modified` that the request named becomes not-modified. Redirects are not
 * followed.
 */
export function createMemoryHttp(): MemoryHttp {
  const handlers = new Map<string, MemoryHandler>();
  return {
    serve(url, handler) {
      handlers.set(url, handler);
    },
    async get(request) {
      const handler = handlers.get(request.url);
      if (handler === undefined)
        throw new FetchError('connection', `${request.url}: nothing is served there`);
      return responseTo(request, await handler(request));
    },
  };
}

function responseTo(request: FetchRequest, { status, headers = {}, body = '' }: MemoryAnswer): FetchResponse {
  const { url } = request;
  const { etag } = headers;
  const lastModified = headers['last-modified'];
  const freshness = freshnessOf(headers);
  const common = { ...(headers['link'] !== undefined && { link: headers['link'] }), freshness };
  const conditional = request.etag !== undefined || request.lastModified !== undefined;
  if (status === 304 && conditional) return { status: 'not-modified', url, ...common };
  if (status !== 200) {
    throw new FetchError(
      status === 410 ? 'gone' : 'http-status',
      `${url}: the server responded with ${status}`,
      {
        status,
        retryAfter: wholeSeconds(headers['retry-after']),
      },
    );
  }
  const unchanged =
    request.etag === undefined
      ? lastModified !== undefined && request.lastModified === lastModified
      : request.etag === etag;
  if (unchanged) return { status: 'not-modified', url, ...common };
  return {
    status: 'ok',
    url,
    etag,
    lastModified,
    date: headers['date'],
    contentType: headers['content-type'],
    ...common,
    body: once(body),
  };
}

function freshnessOf(headers: Readonly<Record<string, string>>): Freshness {
  const seconds = wholeSeconds(/max-age=(\d+)/.exec(headers['cache-control'] ?? '')?.[1]);
  return seconds === undefined ? {} : { seconds };
}

function wholeSeconds(text: string | undefined): number | undefined {
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : undefined;
}

async function* once(body: string | Uint8Array): AsyncGenerator<Uint8Array> {
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  if (bytes.length > 0) yield bytes;
}
