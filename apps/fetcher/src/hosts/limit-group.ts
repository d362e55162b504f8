import { createHash } from 'node:crypto';
import { getDomain } from 'tldts';
import { comparableUrl, hostOf } from '#core';

/** What limits are for: each URL, each host with its port, or each registrable domain. */
export type LimitBy = 'feed' | 'host' | 'domain';

/**
 * The group whose limits hold for a URL. A registrable domain is one below a public suffix (of the Public
 * Suffix List, its private part included): `feeds.example.co.uk` is of `example.co.uk`, and each
 * `NAME.github.io` a group of its own. What has none, such as an IP address, is the host without its port.
 */
export function limitGroupOf(url: string, by: LimitBy): string {
  if (by === 'host') return hostOf(url);
  if (by === 'feed') return createHash('sha256').update(comparableUrl(url)).digest('base64url');
  const { hostname } = new URL(url);
  return getDomain(hostname, { allowPrivateDomains: true }) ?? hostname;
}
