import type { Collection, CollectionSettings, Subscription } from '#core';

/** What a test says of a collection. */
type GivenCollection = Pick<Collection, 'key'> &
  Partial<Omit<Collection, 'settings'>> & { readonly settings?: Partial<CollectionSettings> };

/** A collection of which nothing is published: of FeedSync in Atom, where nothing else is given. */
export function sampleCollection({ settings, ...given }: GivenCollection): Collection {
  return {
    protocol: 'feedsync',
    format: 'atom',
    title: 'To do',
    endpoint: 'test:here',
    createdAt: new Date('2026-01-01T00:00:00Z'),
    settings: { windowItems: 1000, expiresAfter: 604_800, cleanUpHistory: false, ...settings },
    publication: { sequence: 0, since: 0, relayed: 0 },
    ...given,
  };
}

type GivenSubscription = Pick<Subscription, 'collection' | 'id' | 'url' | 'createdAt'> &
  Partial<Subscription>;

/** A subscription that is new, and due since then. */
export function sampleSubscription(given: GivenSubscription): Subscription {
  return {
    status: 'active',
    interval: { minimum: 60, maximum: 3600 },
    cursor: {},
    cursorVersion: 0,
    nextFetchAt: given.createdAt,
    nextFetchReason: 'it is new',
    failures: 0,
    ...given,
  };
}
