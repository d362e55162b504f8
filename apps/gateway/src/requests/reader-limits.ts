import type { GatewayConfiguration } from '#service';
import type { GatewayPorts } from '../gateway-ports.ts';
import { FeedCache } from '../feeds/feed-cache.ts';
import { ConcurrencyLimit } from './concurrency-limit.ts';
import { BoundedReads } from './bounded-reads.ts';

type Settings = Pick<
  GatewayConfiguration,
  | 'GATEWAY_FEED_CACHE_BYTES'
  | 'GATEWAY_DOWNLOADS'
  | 'GATEWAY_TENANT_DOWNLOADS'
  | 'GATEWAY_CHANGE_READERS'
  | 'GATEWAY_STALL_SECONDS'
>;

/** Bytes that are held for clients that read: some of the largest items, and little beside a service. */
const heldBytes = 33_554_432;

/**
 * How much the gateway does at the same time for clients that read much, and what it keeps for them. After
 * the time to stall a place is free if the others have stalled.
 */
export function readerLimits({
  GATEWAY_DOWNLOADS,
  GATEWAY_TENANT_DOWNLOADS,
  GATEWAY_CHANGE_READERS,
  GATEWAY_STALL_SECONDS,
  GATEWAY_FEED_CACHE_BYTES,
}: Settings): Pick<GatewayPorts, 'downloads' | 'changeReaders' | 'reads' | 'feeds'> {
  const retryAfter = Math.ceil(GATEWAY_STALL_SECONDS);
  const reads = new BoundedReads({ parallel: 4, bytes: heldBytes, idle: 2000, wait: 30_000 });
  return {
    reads,
    feeds: new FeedCache(GATEWAY_FEED_CACHE_BYTES, reads),
    downloads: new ConcurrencyLimit({
      maximum: GATEWAY_DOWNLOADS,
      setting: 'GATEWAY_DOWNLOADS',
      what: 'feeds, outlines and files being sent at the same time',
      retryAfter,
      ofTenant: {
        maximum: GATEWAY_TENANT_DOWNLOADS,
        setting: 'GATEWAY_TENANT_DOWNLOADS',
        name: 'downloads',
      },
    }),
    changeReaders: new ConcurrencyLimit({
      maximum: GATEWAY_CHANGE_READERS,
      setting: 'GATEWAY_CHANGE_READERS',
      what: 'event streams and long polls at the same time',
      retryAfter,
    }),
  };
}
