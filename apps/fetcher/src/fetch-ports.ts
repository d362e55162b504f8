import type { Clock, CredentialKeys, HttpFetch, JobQueue, PollLeases, Random, Store } from '#core';
import type { Robots } from './discovery/robots.ts';
import type { Hosts } from './hosts/hosts.ts';
import type { LeftFetches } from './left-fetches.ts';
import type { PlainWork } from './plain-work/plain-work.ts';
import type { ReadingPlaces } from './reading-places.ts';
import type { FetchPace } from './slow/fetch-pace.ts';
import type { SlowPlaces } from './slow/slow-places.ts';
import type { SubscriberCounts } from './subscriber-counts.ts';
import type { WalkPlaces } from './tree/walk-places.ts';
import type { TenantFetches } from './tenant-fetches.ts';
import type { UnchangedFetches } from './unchanged-fetches.ts';

/** What fetching needs of the world. */
export interface FetchPorts {
  readonly store: Store;
  readonly queue: JobQueue;
  readonly http: HttpFetch;
  /** The keys of the credentials of subscriptions; none if absent. */
  readonly credentialKeys?: CredentialKeys;
  readonly clock: Clock;
  readonly random: Random;
  /** Records fetches that brought nothing, several in one write; each by itself if absent. */
  readonly unchanged?: UnchangedFetches;
  /** What is being fetched by all fetchers; only leases in the store keep fetches apart if absent. */
  readonly polls?: PollLeases;
  /** How many subscribers a feed has, for its publisher; not announced if absent. */
  readonly subscribers?: SubscriberCounts;
  /** What sites say to crawlers, which is heeded to discover feeds; nothing is if absent. */
  readonly robots?: Robots;
  /** The limit of feeds that are read at the same time; none if absent. */
  readonly reading?: ReadingPlaces;
  /** Where long plain feeds are worked on; the process of the fetch if absent. */
  readonly work?: PlainWork;
  /** The limits of each host; none if absent. */
  readonly hosts?: Hosts;
  /** The limits of the fetches of tenants; none if absent. */
  readonly tenants?: TenantFetches;
  /** Takes what MongoDB's absence ended; such fetches wait for the end of their leases if absent. */
  readonly left?: LeftFetches;
  /** The places of slow fetches; any fetch may take as long as it takes if absent. */
  readonly slow?: SlowPlaces;
  /** Of this fetch alone; absent without places of slow fetches. */
  readonly pace?: FetchPace;
  /** The limit of walks through trees; none if absent. */
  readonly walks?: WalkPlaces;
}
