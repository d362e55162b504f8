import { digestOf } from './plain-identity.ts';
import { sameAddress } from './same-address.ts';

/**
 * The endpoint identifier (2.1.1) that stands for a plain feed, which does not sign: the same for all who
 * adopt the feed from the same address, whatever the scheme and the tracking parameters.
 */
export function feedEndpoint(url: string): string {
  const address = sameAddress(url);
  const host = /^\/\/([^/?#]*)/.exec(address)?.[1] ?? '';
  return `feed:${host.replace(/[^A-Za-z0-9.-]+/g, '-').slice(0, 200)}:${digestOf(address)}`;
}
