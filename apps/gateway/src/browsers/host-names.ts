import { isIP } from 'node:net';
import type { IncomingMessage } from 'node:http';
import { parseUrl } from '#xml';
import { isLoopback, publicUrl } from '#service';
import type { GatewayConfiguration } from '#service';
import { ProblemError } from '../problems/problem-error.ts';
import type { Step } from '../requests/front.ts';

type Settings = Pick<GatewayConfiguration, 'GATEWAY_HOSTS' | 'HOST' | 'PUBLIC_URL' | 'PORT'>;
type HostedRequest = Pick<IncomingMessage, 'headers' | 'rawHeaders' | 'httpVersion' | 'url'>;

/** A name or an address, and a port: of what RFC 3986 allows as a host, what names of DNS have. */
const hostPattern = /^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])(?::\d{0,5})?$/i;

/**
 * Returns a check of the host that a request is for. A web page can have the name of its own host lead to
 * this machine (DNS rebinding); to a browser it is of our origin then, and only `Host` tells.
 * @returns `ProblemError` 400 `invalid-host` for a request of HTTP/1.1 without a `Host`, for more than one,
 *   one that is not a host, and one that differs from the target; 421 `unknown-host` for a host that is not
 *   ours
 */
export function hostCheck(settings: Settings): (request: HostedRequest) => ProblemError | undefined {
  const isKnown = knownHosts(settings);
  return (request) => {
    const fault = hostFault(request);
    if (fault !== undefined) return new ProblemError(400, 'invalid-host', `${fault} (RFC 9112, 3.2).`);
    const host = request.headers.host ?? parseUrl(absoluteTarget(request) ?? '')?.host;
    if (host === undefined || isKnown(host)) return undefined;
    return new ProblemError(
      421,
      'unknown-host',
      `This gateway is not known as ${host.slice(0, 200)}. ` +
        'Name it in GATEWAY_HOSTS, or in PUBLIC_URL if it is the address that others use.',
    );
  };
}

/** Lets a request pass only if its host is fit. Throws what the check returns. */
export function refuseHosts(refusalOf: ReturnType<typeof hostCheck>): Step {
  return (request, _response, next) => {
    const refusal = refusalOf(request);
    if (refusal !== undefined) throw refusal;
    next();
  };
}

/** What is wrong with how a request names its host; undefined if nothing is. */
function hostFault(request: HostedRequest): string | undefined {
  const { headers, rawHeaders, httpVersion } = request;
  const { host } = headers;
  if (host === undefined && httpVersion !== '1.0') return 'A request of HTTP/1.1 has a Host';
  if (rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === 'host').length > 1)
    return 'A request has one Host';
  if (host !== undefined && !(hostPattern.test(host) && parseUrl(`http://${host}`) !== undefined))
    return 'A Host is a name or an IP address, with or without a port';
  const target = absoluteTarget(request);
  if (target === undefined) return undefined;
  const url = /^https?:/i.test(target) ? parseUrl(target) : undefined;
  if (url === undefined || url.username !== '' || url.password !== '')
    return 'The target of a request is a path, or an http or https URL without user and password';
  const isSame = host === undefined || parseUrl(`${url.protocol}//${host}`)?.host === url.host;
  return isSame ? undefined : 'The Host of a request is that of its target';
}

/** The target of a request if it is a URL and not a path. */
function absoluteTarget({ url = '' }: HostedRequest): string | undefined {
  return /^[a-z][a-z0-9+.-]*:/i.test(url) ? url : undefined;
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
