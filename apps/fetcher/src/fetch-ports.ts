import type { Chance, Clock, HttpFetch, JobQueue, Store } from '#ports';

/** What fetching needs of the world. */
export interface FetchPorts {
  readonly store: Store;
  readonly queue: JobQueue;
  readonly http: HttpFetch;
  readonly clock: Clock;
  readonly chance: Chance;
}
