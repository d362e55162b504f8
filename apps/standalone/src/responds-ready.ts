import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { get as getSecurely } from 'node:https';

/**
 * Whether a service on this machine says at a URL that it is ready. A certificate is not checked: it is for
 * the name by which others reach the service. Throws if there is no response within 5 seconds.
 */
export async function respondsReady(url: string): Promise<boolean> {
  const options = { signal: AbortSignal.timeout(5000), agent: false } as const;
  const request = url.startsWith('https:')
    ? getSecurely(url, { ...options, rejectUnauthorized: false })
    : get(url, options);
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  response.resume();
  return response.statusCode === 200;
}
