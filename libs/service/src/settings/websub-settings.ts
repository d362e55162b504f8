import { isIP } from 'node:net';
import { z } from 'zod';
import { seconds, wholeNumber } from './setting-kinds.ts';

/** How the fetcher subscribes at the hubs of feeds (WebSub). */
export const hubSettings = {
  WEBSUB: z
    .enum(['auto', 'on', 'off'], 'must be auto, on or off')
    .default('auto')
    .describe(
      'Whether changes are announced by the hubs of feeds that have one (WebSub), which needs PUBLIC_URL. ' +
        'With auto only if that has the name of a host which others can reach',
    ),
  WEBSUB_LEASE_SECONDS: wholeNumber(60, 31_536_000)
    .default(864_000)
    .describe('Seconds for which a hub is asked to announce changes; it is asked again before they end'),
  WEBSUB_RETRY_SECONDS: seconds(86_400)
    .default(300)
    .describe(
      'Seconds after which a request to a hub that came to nothing is sent again; twice as long with every ' +
        'further time, up to a day',
    ),
  WEBSUB_SCHEDULE_MS: wholeNumber(10, 3_600_000)
    .default(2000)
    .describe('Milliseconds between two looks for requests to hubs that are due'),
};

/** How the gateway takes what hubs send. */
export const callbackSettings = {
  WEBSUB_BODY_BYTES: wholeNumber(1000, 1_000_000_000)
    .default(16_777_216)
    .describe('Bytes of an announcement by a hub, which are checked and not kept'),
  WEBSUB_FETCH_SECONDS: seconds(86_400)
    .default(10)
    .describe('Seconds between two fetches of one feed that announcements by its hub lead to, at the least'),
  WEBSUB_SHORTEST_LEASE_SECONDS: seconds(86_400)
    .default(600)
    .describe('Seconds after which a lease is renewed at the earliest, however short it is'),
};

/** Where hubs call the gateway; the operation of the contract has the same path. */
const path = '/websub/';

/**
 * Returns what the callbacks of hubs begin with; undefined if WebSub is off, or no address is known that hubs
 * can reach.
 */
export function hubCallbacks({
  WEBSUB,
  PUBLIC_URL,
}: {
  readonly WEBSUB: 'auto' | 'on' | 'off';
  readonly PUBLIC_URL?: string | undefined;
}): string | undefined {
  if (WEBSUB === 'off' || PUBLIC_URL === undefined) return undefined;
  if (WEBSUB === 'auto' && !isReachable(new URL(PUBLIC_URL).hostname)) return undefined;
  return PUBLIC_URL + path;
}

/** Names of this machine and of networks that are not public (RFC 6761, RFC 6762, RFC 8375, clusters). */
const privateNames = /(^|\.)(localhost|local|internal|svc|arpa|test|invalid|lan|home|intranet)$/;

/** Whether a host has a name that may be one of the public network. */
function isReachable(host: string): boolean {
  const name = host.toLowerCase().replace(/\.$/, '');
  if (isIP(name.replace(/^\[|\]$/g, '')) !== 0) return false;
  return name.includes('.') && !privateNames.test(name) && !name.includes('.svc.');
}
