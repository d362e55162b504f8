import type { LookupFunction } from 'node:net';
import { fetchLimits } from '#core';
import type { RequestSlots } from './host-slots.ts';
import { productToken } from './user-agent.ts';

/** How far one fetch may go. Times are in seconds and may be fractions. */
export interface HttpFetchSettings {
  /** From dialling to a connection that can be used, name lookup and TLS included. */
  readonly connectSeconds: number;
  /** From the request to the last line of the response's header. */
  readonly headersSeconds: number;
  /**
   * Between two pieces of a body, and how far it may fall behind the minimum rate; counted only while we wait
   * for the server.
   */
  readonly idleSeconds: number;
  /**
   * All waiting for the servers of one fetch, redirects included. What the reader of the body takes does not
   * count.
   */
  readonly totalSeconds: number;
  readonly redirects: number;
  /** Of one response's header. */
  readonly headerBytes: number;
  /** Of one body, after decoding. */
  readonly bodyBytes: number;
  /** Decoded bytes for each byte received, looked at once a body has passed 1 MiB. */
  readonly compressionRatio: number;
  /**
   * Requests in flight to one host, its port included; others wait for their turn, unless `slots` decides.
   */
  readonly connectionsPerHost: number;
  /** To how many hosts idle connections are kept, those that were requested last. */
  readonly keptHosts: number;
  /** Decides in place of `connectionsPerHost`. */
  readonly slots?: RequestSlots;
  /**
   * Called before each request, redirects included, once it has a slot; the request waits for it. Returns
   * what to call when the request has ended; may throw `FetchError` instead.
   */
  readonly admit?: (url: string) => Promise<() => void>;
  /** Networks (CIDR) that may be reached although they are not public. */
  readonly allowNetworks: readonly string[];
  /** The product, as `User-Agent` begins. */
  readonly userAgent: string;
  /** Where those who run it can be reached; part of `User-Agent`. */
  readonly contactUrl?: string;
  /** How names become addresses; the system's resolver if absent. */
  readonly lookup?: LookupFunction;
}

/** What holds for every setting that is not given. */
export const httpFetchDefaults: HttpFetchSettings = { ...fetchLimits, userAgent: productToken() };

/** What each setting is called in the environment, and so in errors. */
export const httpFetchVariables = {
  connectSeconds: 'FETCH_CONNECT_SECONDS',
  headersSeconds: 'FETCH_HEADERS_SECONDS',
  idleSeconds: 'FETCH_IDLE_SECONDS',
  totalSeconds: 'FETCH_TOTAL_SECONDS',
  redirects: 'FETCH_REDIRECTS',
  headerBytes: 'FETCH_HEADER_BYTES',
  bodyBytes: 'FETCH_BODY_BYTES',
  compressionRatio: 'FETCH_COMPRESSION_RATIO',
  connectionsPerHost: 'FETCH_CONNECTIONS_PER_HOST',
  keptHosts: 'FETCH_KEPT_HOSTS',
  allowNetworks: 'FETCH_ALLOW_NETWORKS',
  userAgent: 'FETCH_USER_AGENT',
  contactUrl: 'FETCH_CONTACT_URL',
} as const;
