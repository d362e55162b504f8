import type { ScanLimits } from '#feed-xml';
import type { HttpFetchSettings } from '#http-fetch';
import type { FetcherConfiguration } from '#settings';

/** How far one fetch may go on the network, as the environment says. */
export function httpLimits(configuration: FetcherConfiguration): HttpFetchSettings {
  return {
    connectSeconds: configuration.FETCH_CONNECT_SECONDS,
    headersSeconds: configuration.FETCH_HEADERS_SECONDS,
    idleSeconds: configuration.FETCH_IDLE_SECONDS,
    totalSeconds: configuration.FETCH_TOTAL_SECONDS,
    redirects: configuration.FETCH_REDIRECTS,
    headerBytes: configuration.FETCH_HEADER_BYTES,
    bodyBytes: configuration.FETCH_BODY_BYTES,
    compressionRatio: configuration.FETCH_COMPRESSION_RATIO,
    connectionsPerHost: configuration.FETCH_CONNECTIONS_PER_HOST,
    allowNetworks: configuration.FETCH_ALLOW_NETWORKS,
    userAgent: configuration.FETCH_USER_AGENT,
  };
}

/** What one feed may hold, as the environment says. */
export function scanLimits(configuration: FetcherConfiguration): ScanLimits {
  return {
    depth: configuration.FEED_DEPTH,
    outlineDepth: configuration.FEED_OUTLINE_DEPTH,
    attributes: configuration.FEED_ATTRIBUTES,
    itemLength: configuration.FEED_ITEM_LENGTH,
    headLength: configuration.FEED_HEAD_LENGTH,
    items: configuration.FEED_ITEMS,
  };
}
