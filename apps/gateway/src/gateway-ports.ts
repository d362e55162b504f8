import type { Random, Clock, Store } from '#core';
import type { JobRequests } from './jobs/job-requests.ts';
import type { ConcurrencyLimit } from './requests/concurrency-limit.ts';
import type { WorkQueue } from './requests/work-queue.ts';

/** What clients may ask for. */
interface GatewayLimits {
  /** Entries in one page of a list. */
  readonly pageItems: number;
  /** Bytes of JSON after which a page ends; it has one entry at least. */
  readonly pageBytes: number;
  /** Entries in a feed for feed readers. */
  readonly readerItems: number;
  /** How long a request for changes may wait. */
  readonly longPollSeconds: number;
  /** Bytes of a file. */
  readonly fileBytes: number;
  /** How long, and at most how many, keys of edits (`Idempotency-Key`) are kept with an item. */
  readonly editKeySeconds: number;
  readonly editKeys: number;
  /** How long a client may take to read a piece of a response. */
  readonly stallSeconds: number;
}

/** What the gateway needs of the world. */
export interface GatewayPorts {
  readonly store: Store;
  readonly jobs: JobRequests;
  readonly clock: Clock;
  readonly random: Random;
  /** Where this gateway is reached from outside, without a slash at the end. */
  readonly publicUrl: string;
  /** What endpoint identifiers of new collections begin with. */
  readonly endpointBase: () => Promise<string>;
  readonly limits: GatewayLimits;
  /** The feeds, outlines and files that are sent at the same time. */
  readonly downloads: ConcurrencyLimit;
  /**
   * What reads much of the store: few at a time, so that the others, such as the health page, wait for
   * little.
   */
  readonly reads: WorkQueue;
  /** The event streams and long polls at the same time. */
  readonly changeReaders: ConcurrencyLimit;
}

/** Under which Nest gives out the `GatewayPorts`. */
export const gatewayPorts = Symbol('GatewayPorts');
