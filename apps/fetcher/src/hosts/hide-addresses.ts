import { isIP } from 'node:net';
import { FetchError, LatestEntries } from '#core';
import type { HttpFetch, HttpPost } from '#core';

/** Of how many hosts the last detail is kept, so that it is logged once. */
const keptDetails = 1000;

/** The members of an error of Node's network that tell of addresses. */
interface NetworkError {
  readonly syscall?: string;
  readonly address?: string;
  readonly port?: number;
  readonly errors?: readonly NetworkError[];
}

/**
 * Requests whose errors do not tell what a name stands for: a name without an address, and one whose address
 * is refused, fail with the same `FetchError` (`host-unresolved`), and errors name no address that was
 * dialled. Otherwise tenants could learn the names and addresses of the operator's network.
 * @param log called with what is left out, once a host as long as it stays the same
 */
export function hideAddresses(
  http: HttpFetch & HttpPost,
  log: (detail: string) => void,
): HttpFetch & HttpPost {
  const logged = new LatestEntries<string, string>(keptDetails);
  const hide = (error: unknown): never => {
    if (!(error instanceof FetchError)) throw error;
    const shown = shownError(error);
    const { host = '', message } = error;
    // Without the URL, which may hold a secret.
    const detail = `${host}: ${message.replace(/^\S+: /, '')}`;
    if (shown !== error && logged.get(host) !== detail) {
      logged.set(host, detail);
      log(detail);
    }
    throw shown;
  };
  return {
    get: (request) => http.get(request).catch(hide),
    post: (request) => http.post(request).catch(hide),
  };
}

function shownError(error: FetchError): FetchError {
  const { rule, message, host = '', cause } = error;
  const network = (cause ?? {}) as NetworkError;
  const { syscall, address, port } = network.errors?.[0] ?? network;
  const hostname = host.replace(/:\d+$/, '');
  const isName = isIP(hostname.replace(/^\[|\]$/g, '')) === 0;
  if (isName && (rule === 'address-refused' || syscall === 'getaddrinfo'))
    return new FetchError(
      'host-unresolved',
      `${host} was not dialled: its name has no public address (FETCH_ALLOW_NETWORKS lists what else may ` +
        'be reached)',
      { host },
    );
  if (rule !== 'connection' || !isName || address === undefined) return error;
  return new FetchError(rule, message.replace(` ${address}:${port}`, ''), { host, cause });
}
