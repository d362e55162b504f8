import { FetchError, hostOf } from '#core';
import type { FetchResponse, HttpFetch, HttpPost } from '#core';
import type { Hosts } from './hosts.ts';

/** Where it is recorded how hosts respond. */
export interface HostRecords extends Pick<Hosts, 'succeeded' | 'failed'> {
  /** Called for each response with 429 or 503, with its `Retry-After` in seconds. */
  readonly slowed?: (url: string, retryAfter: number | undefined) => void;
}

/**
 * Requests whose outcome is recorded with the host that it is about, which after a redirect is another than
 * the first.
 */
export function watchHosts(http: HttpFetch, hosts: HostRecords): HttpFetch {
  return {
    async get(request): Promise<FetchResponse> {
      try {
        const response = await http.get(request);
        const host = hostOf(response.url);
        if (response.status === 'ok') return { ...response, body: watchBody(response.body, hosts, host) };
        hosts.succeeded(host);
        return response;
      } catch (error) {
        record(error, hosts, hostOf(request.url), request.url);
        throw error;
      }
    },
  };
}

/** The same for forms. */
export function watchPosts(http: HttpPost, hosts: HostRecords): HttpPost {
  return {
    async post(request) {
      try {
        await http.post(request);
        hosts.succeeded(hostOf(request.url));
      } catch (error) {
        record(error, hosts, hostOf(request.url), request.url);
        throw error;
      }
    },
  };
}

const hostFailures: ReadonlySet<string> = new Set(['connection', 'http-timeout', 'slow', 'host-unresolved']);

/** Whether a failure is the host's, and not that of one document or of us. */
function isHostFailure({ rule, status = 0 }: Pick<FetchError, 'rule' | 'status'>): boolean {
  return hostFailures.has(rule) || status === 429 || status >= 500;
}

function record(error: unknown, hosts: HostRecords, requested: string, url?: string): void {
  if (!(error instanceof FetchError)) return;
  const host = error.host ?? requested;
  if (isHostFailure(error)) hosts.failed(host, error.message);
  else if (error.status !== undefined) hosts.succeeded(host);
  if (url !== undefined && (error.status === 429 || error.status === 503))
    hosts.slowed?.(host === hostOf(url) ? url : `https://${host}/`, error.retryAfter);
}

/** The body, whose end the host records, however it came. */
function watchBody(
  body: AsyncIterable<Uint8Array>,
  hosts: HostRecords,
  host: string,
): AsyncIterable<Uint8Array> {
  const pieces = body[Symbol.asyncIterator]();
  let hasEnded = false;
  const end = (tell: () => void): void => {
    if (!hasEnded) tell();
    hasEnded = true;
  };
  const iterator: AsyncIterableIterator<Uint8Array> = {
    [Symbol.asyncIterator]: () => iterator,
    next: async () => {
      try {
        const step = await pieces.next();
        if (step.done === true) end(() => hosts.succeeded(host));
        return step;
      } catch (error) {
        end(() => record(error, hosts, host));
        throw error;
      }
    },
    // Whoever stops reading has heard enough.
    return: async () => {
      end(() => hosts.succeeded(host));
      return (await pieces.return?.()) ?? { done: true, value: undefined };
    },
  };
  return iterator;
}
