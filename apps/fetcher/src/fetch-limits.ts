import type { ScanLimits } from '#xml';
import { httpFetchDefaults } from '#http-fetch';
import type { HttpFetchSettings } from '#http-fetch';
import type { FetcherConfiguration } from '#service';
import type { HostLimits } from './hosts/host-state.ts';
import type { SharedHostLimits } from './hosts/shared-hosts.ts';
import type { TreeSettings } from './tree/tree-settings.ts';

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
    keptHosts: configuration.FETCH_KEPT_HOSTS,
    allowNetworks: configuration.FETCH_ALLOW_NETWORKS,
    userAgent: configuration.FETCH_USER_AGENT ?? httpFetchDefaults.userAgent,
    ...(configuration.FETCH_CONTACT_URL !== undefined && { contactUrl: configuration.FETCH_CONTACT_URL }),
  };
}

/** What one feed may hold, as the environment says. */
export function scanLimits(configuration: FetcherConfiguration): ScanLimits {
  return {
    depth: configuration.FEED_DEPTH,
    outlineDepth: configuration.FEED_OUTLINE_DEPTH,
    attributes: configuration.FEED_ATTRIBUTES,
    itemLength: configuration.FEED_ITEM_LENGTH,
    inheritedLength: configuration.FEED_INHERITED_LENGTH,
    headLength: configuration.FEED_HEAD_LENGTH,
    items: configuration.FEED_ITEMS,
    itemLinks: configuration.FEED_ITEM_LINKS,
  };
}

/** How requests to one host are limited, as the environment says. */
export function hostLimits(configuration: FetcherConfiguration): HostLimits {
  return {
    connections: configuration.FETCH_CONNECTIONS_PER_HOST,
    failures: configuration.FETCH_HOST_FAILURES,
    pause: configuration.FETCH_HOST_PAUSE_SECONDS * 1000,
    longestPause: configuration.FETCH_HOST_LONGEST_PAUSE_SECONDS * 1000,
  };
}

/** How requests to one host are limited for all fetchers together, as the environment says. */
export function sharedHostLimits(configuration: FetcherConfiguration): SharedHostLimits {
  return {
    by: configuration.FETCH_LIMIT_BY,
    rate: configuration.FETCH_HOST_RATE,
    burst: configuration.FETCH_HOST_BURST,
    connections: configuration.FETCH_HOST_CONNECTIONS,
    longestPause: configuration.FETCH_HOST_LONGEST_PAUSE_SECONDS * 1000,
  };
}

/** How far one walk through a tree may go, and how it goes about it, as the environment says. */
export function treeSettings(configuration: FetcherConfiguration): TreeSettings {
  return {
    limits: {
      depth: configuration.TREE_DEPTH,
      documents: configuration.TREE_DOCUMENTS,
      links: configuration.TREE_LINKS,
      bytes: configuration.TREE_BYTES,
    },
    batch: configuration.TREE_BATCH,
    parallel: configuration.TREE_PARALLEL,
    parallelPerHost: configuration.TREE_PARALLEL_PER_HOST,
    poll: configuration.TREE_POLL_MS,
    resend: configuration.TREE_RESEND_MS,
    progress: configuration.TREE_PROGRESS_MS,
  };
}
