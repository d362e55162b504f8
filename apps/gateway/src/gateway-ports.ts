import type { Chance, Clock, Store } from '#ports';
import type { JobRequests } from './jobs/job-requests.ts';

/** What clients may ask for. */
export interface GatewayLimits {
  /** Entries in one page of a list. */
  readonly pageItems: number;
  /** How long a request for changes may wait. */
  readonly longPollSeconds: number;
  /** Bytes of a file. */
  readonly fileBytes: number;
}

/** What the gateway needs of the world. */
export interface GatewayPorts {
  readonly store: Store;
  readonly jobs: JobRequests;
  readonly clock: Clock;
  readonly chance: Chance;
  /** Where this gateway is reached from outside, without a slash at the end. */
  readonly publicUrl: string;
  /** What endpoint identifiers of new collections begin with. */
  readonly endpoint: string;
  readonly limits: GatewayLimits;
}

/** Under which Nest gives out the `GatewayPorts`. */
export const gatewayPorts = Symbol('GatewayPorts');
