import { parseUrl } from '#xml';
import { isIP } from 'node:net';
import type { RequestHandler } from 'express';
import { isLoopback, publicUrl } from '#service';
import type { GatewayConfiguration } from '#service';
import { ProblemError } from '../problems/problem-error.ts';

type Settings = Pick<GatewayConfiguration, 'GATEWAY_HOSTS' | 'HOST' | 'PUBLIC_URL' | 'PORT'>;

/**
 * Lets a request pass only if its `Host` is ours. A web page can have the name of its own host lead to this
 * machine (DNS rebinding); to a browser it is of our origin then, and only `Host` tells.
 * @returns a handler that throws `ProblemError` 421 `unknown-host`, and 400 `invalid-host` for HTTP/1.1
 *   without one
 */
export function refuseUnknownHosts(settings: Settings): RequestHandler {
  const isKnown = knownHosts(settings);
  return ({ headers: { host }, httpVersion }, _response, next) => {
    if (host === undefined && httpVersion === '1.1')
      throw new ProblemError(400, 'invalid-host', 'A request of HTTP/1.1 has a Host (RFC 9112, 3.2).');
    if (host !== undefined && !isKnown(host)) {
      throw new ProblemError(
        421,
        'unknown-host',
        `This gateway is not known as ${host.slice(0, 200)}. ` +
          'Name it in GATEWAY_HOSTS, or in PUBLIC_URL if it is the address that others use.',
      );
    }
    next();
  };
}

/**
 * Which values of `Host` are ours: IP addresses and `localhost`, which no one else's name can be, the host of
 * PUBLIC_URL, and those of GATEWAY_HOSTS. If that is not set, any host is, unless only this machine can
 * connect.
 */
export function knownHosts({ GATEWAY_HOSTS, ...settings }: Settings): (host: string) => boolean {
  const names = GATEWAY_HOSTS ?? (isLoopback(settings.HOST) ? [] : ['*']);
  if (names.includes('*')) return () => true;
  const known = new Set([...names, new URL(publicUrl(settings)).hostname]);
  return (host) => {
    const name = parseUrl(`http://${host}`)?.hostname ?? '';
    return known.has(name) || isLocalName(name);
  };
}

function isLocalName(name: string): boolean {
  return isIP(name.replace(/^\[|\]$/g, '')) !== 0 || name === 'localhost' || name.endsWith('.localhost');
}
