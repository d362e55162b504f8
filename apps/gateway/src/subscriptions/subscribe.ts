import { adoptionOf, isFeedTree, protocolOf } from '#protocols';
import { createHash } from 'node:crypto';
import { nameOf, subscriptionId } from '#core';
import type {
  Collection,
  CollectionKey,
  CredentialKeys,
  SealedCredentials,
  Subscription,
  SubscriptionId,
} from '#core';
import { findCollection } from '../collections/find-collection.ts';
import type { GatewayPorts } from '../gateway-ports.ts';
import { invalidInput, ProblemError } from '../problems/problem-error.ts';
import { checkTenantLimit } from '../tenants/tenant-limits.ts';
import { checkMirror } from '../tree/mirror.ts';
import { sealRequested } from './requested-credentials.ts';

interface SubscribeRequest {
  /** The name; without it that of the subscription which reads this feed, or one made from the URL. */
  readonly subscription?: SubscriptionId | undefined;
  readonly url: string;
  /** In seconds. */
  readonly interval?: Subscription['interval'] | undefined;
  /** What requests send; what there is stays if these are absent, and is removed if they are null. */
  readonly userAgent?: string | null | undefined;
  readonly acceptLanguage?: string | null | undefined;
  /** Those that there are stay if these are absent, and are removed if these are null. */
  readonly credentials?: Parameters<typeof sealRequested>[2]['credentials'];
  /** Whether items without synchronisation data are adopted; `auto` if absent. */
  readonly adopt?: boolean | 'auto' | undefined;
  /** The endpoint identifier that a plain feed is adopted under; that of its address if absent. */
  readonly adoptedAs?: string | undefined;
  /** Whether the URL may be that of a page that names its feed. */
  readonly discover?: boolean | undefined;
}

/** A subscription as a request asks for it. */
interface WantedSubscription extends Omit<SubscribeRequest, 'subscription' | 'credentials'> {
  readonly id: SubscriptionId;
  readonly credentials?: SealedCredentials | null | undefined;
}

/** How many feeds are subscribed to in one write. */
const block = 500;

const defaultInterval = { minimum: 60, maximum: 86_400 };

interface Subscribed {
  readonly created: boolean;
  readonly subscription: Subscription;
}

/**
 * Subscribes a collection to a feed, or replaces the address and interval of a subscription that there is. A
 * new feed, and one that was gone, is fetched at once; a paused one stays paused. Each feed is read once: a
 * request without a name gets the subscription that reads this feed already, with its interval unless it
 * brings one. The same page, requested to discover its feed, gets the subscription that has found it.
 * Throws `ProblemError` 404 for no such collection, 400 for an interval the wrong way round or credentials
 * that can't be encrypted, 409 `already-subscribed` if the feed is subscribed to under another name than the
 * requested one, and 409 if a tree of feeds can't become a mirror.
 */
export async function subscribe(
  ports: GatewayPorts,
  key: CollectionKey,
  request: SubscribeRequest,
): Promise<Subscribed> {
  const { interval, adopt, adoptedAs, discover, userAgent, acceptLanguage, subscription: name } = request;
  checkInterval(interval);
  const { url: given, credentials } = sealRequested(keysOf(ports), key, request);
  const id = name ?? nameFor(given);
  const [collection, matching] = await Promise.all([
    findCollection(ports, key),
    ports.store.subscriptions.matching(key, id, given),
  ]);
  checkAdoption(collection, request);
  checkDiscovery(collection, request);
  const own = matching.find((subscription) => subscription.id === id);
  const other = matching.find((subscription) => subscription.id !== id);
  const url = discover === true && own?.discoveredOn === given ? own.url : given;
  const isOther = other !== undefined && own?.url !== url;
  if (isOther && name !== undefined) throw alreadySubscribed(other);
  const subscribed = isOther
    ? await put(
        ports,
        collection,
        {
          id: other.id,
          url: other.url,
          interval: interval ?? other.interval,
          adopt: adopt ?? other.adopt,
          adoptedAs,
          discover,
          userAgent,
          acceptLanguage,
          credentials,
        },
        other,
      )
    : await put(
        ports,
        collection,
        {
          id,
          url,
          interval,
          adopt,
          adoptedAs,
          discover: discover === true && url === given,
          userAgent,
          acceptLanguage,
          credentials,
        },
        own,
      );
  // Someone else has subscribed to the feed meanwhile.
  return subscribed ?? subscribe(ports, key, request);
}

function alreadySubscribed({ collection, id, url }: Subscription): ProblemError {
  return new ProblemError(
    409,
    'already-subscribed',
    `The collection "${nameOf(collection)}" is already subscribed to ${url} as "${id}".`,
    { subscription: id },
  );
}

/**
 * Subscribes a collection to several feeds that it does not read yet, under names made from their addresses.
 * Returns how many of the subscriptions are new.
 * @param step called after each block of them, with how many have been dealt with
 */
export async function subscribeAll(
  ports: GatewayPorts,
  key: CollectionKey,
  feeds: readonly Pick<WantedSubscription, 'url' | 'credentials'>[],
  step: (done: number) => void,
): Promise<number> {
  const collection = await findCollection(ports, key);
  let created = 0;
  for (let start = 0; start < feeds.length; start += block) {
    const some = feeds.slice(start, start + block);
    created += await subscribeBlock(ports, collection, some);
    step(start + some.length);
  }
  return created;
}

async function subscribeBlock(
  ports: GatewayPorts,
  collection: Collection,
  feeds: readonly Pick<WantedSubscription, 'url' | 'credentials'>[],
): Promise<number> {
  const { store, clock, jobs } = ports;
  const { key } = collection;
  const subscriptions = feeds.map((feed) =>
    newSubscription(collection, { id: nameFor(feed.url), ...feed }, undefined, clock.now()),
  );
  await checkTenantLimit(ports, key, 'subscriptions', subscriptions.length);
  const created = await store.subscriptions.createAll(subscriptions);
  for (const { id } of created) jobs.fetchNew(key, id);
  const isNew = new Set(created.map(({ id }) => id));
  // Subscribed to meanwhile, or the name is that of a subscription that has got another address.
  for (const { id, url, credentials } of subscriptions)
    if (!isNew.has(id)) await subscribe(ports, key, { url, credentials });
  return created.length;
}

/**
 * Stores a subscription, and asks for a fetch if that is due. Returns undefined if another one reads the
 * feed.
 * @param existing the subscription as it is stored
 */
async function put(
  ports: GatewayPorts,
  collection: Collection,
  wanted: WantedSubscription,
  existing: Subscription | undefined,
): Promise<Subscribed | undefined> {
  const { store, clock, jobs } = ports;
  const { id, url, credentials } = wanted;
  const { key } = collection;
  if (existing === undefined) await checkTenantLimit(ports, key, 'subscriptions');
  if (existing === undefined && isFeedTree(collection)) await checkMirror(ports, key, id);
  const subscription = newSubscription(collection, wanted, existing, clock.now());
  const isSameFeed =
    existing?.url === url &&
    existing.adopt === subscription.adopt &&
    existing.adoptedAs === subscription.adoptedAs;
  const stored = await store.subscriptions.put(
    { ...subscription, ...(isSameFeed && existing.status === 'paused' && { status: 'paused' }) },
    credentials === null,
  );
  if (stored.subscription.id !== id) return undefined;
  if (existing?.hub !== undefined && !isSameFeed) await store.hubs.wake(key, id, clock.now());
  if (stored.created && isFeedTree(collection)) await keepMirror(ports, key, id);
  const hasOthers = credentials !== undefined && (credentials ?? existing?.credentials) !== undefined;
  const isPage = subscription.discover === true && existing?.discover !== true;
  const isSentSo =
    existing?.userAgent === subscription.userAgent &&
    existing?.acceptLanguage === subscription.acceptLanguage;
  if (isSameFeed && existing.status !== 'gone' && !hasOthers && isSentSo && !isPage) return stored;
  const next = {
    ...subscription,
    ...(!isSentSo && { nextFetchReason: 'it got another User-Agent or Accept-Language' }),
    ...(hasOthers && { nextFetchReason: 'it got other credentials' }),
  };
  const due = isSameFeed ? await store.subscriptions.refresh(key, id, next, false) : undefined;
  if (stored.created) jobs.fetchNew(key, id);
  else jobs.fetch(key, id);
  return { ...stored, subscription: due ?? stored.subscription };
}

/**
 * Takes a new subscription of a tree back, and throws as `checkMirror` does, if another one, or an item,
 * has come at the same time.
 */
async function keepMirror(ports: GatewayPorts, collection: CollectionKey, id: SubscriptionId): Promise<void> {
  try {
    await checkMirror(ports, collection, id);
  } catch (error) {
    await ports.store.subscriptions.remove(collection, id);
    throw error;
  }
}

/**
 * A subscription that is due at once.
 * @param former as it is stored: what its feed is adopted under stays when the address changes, and so does
 *   what its requests send
 */
function newSubscription(
  collection: Collection,
  {
    id,
    url,
    interval = defaultInterval,
    adopt = 'auto',
    adoptedAs: named,
    discover = false,
    userAgent: givenAgent,
    acceptLanguage: givenLanguage,
    credentials,
  }: WantedSubscription,
  former: Subscription | undefined,
  now: Date,
): Subscription {
  const adoptedAs = named ?? former?.adoptedAs ?? adoptionOf(collection)?.endpointOf(former?.url ?? url);
  const userAgent = givenAgent === undefined ? former?.userAgent : givenAgent;
  const acceptLanguage = givenLanguage === undefined ? former?.acceptLanguage : givenLanguage;
  return {
    collection: collection.key,
    id,
    url,
    status: 'active',
    interval,
    ...(adopt !== 'auto' && { adopt }),
    ...(adoptedAs !== undefined && { adoptedAs }),
    ...(discover && { discover }),
    cursor: {},
    cursorVersion: 0,
    nextFetchAt: now,
    nextFetchReason: 'it was just subscribed',
    failures: 0,
    ...(typeof userAgent === 'string' && { userAgent }),
    ...(typeof acceptLanguage === 'string' && { acceptLanguage }),
    ...(credentials && { credentials }),
    createdAt: now,
  };
}

function keysOf({ configuration: { CREDENTIALS_KEYS = [] } }: GatewayPorts): CredentialKeys {
  return CREDENTIALS_KEYS;
}

/** Throws `ProblemError` 400 for what can't be adopted so. */
function checkAdoption(collection: Collection, { adopt, adoptedAs }: SubscribeRequest): void {
  if (
    adoptedAs !== undefined &&
    [collection.endpoint, ...(collection.retiredEndpoints ?? [])].includes(adoptedAs)
  )
    throw invalidInput([
      {
        path: 'body.adoptedAs',
        message: 'a feed is not adopted under the identifier of the collection itself',
      },
    ]);
  if (adoptionOf(collection) !== undefined || (adopt === undefined && adoptedAs === undefined)) return;
  const path = adopt === undefined ? 'body.adoptedAs' : 'body.adopt';
  throw invalidInput([
    { path, message: `a collection of ${protocolOf(collection).title} adopts no plain feeds` },
  ]);
}

/** Throws `ProblemError` 400 if a page is no way to what the collection reads. */
function checkDiscovery(collection: Collection, { discover }: SubscribeRequest): void {
  if (discover !== true || !isFeedTree(collection)) return;
  const message = 'a tree of feeds begins at the address of its root: no page is searched for that';
  throw invalidInput([{ path: 'body.discover', message }]);
}

function checkInterval({ minimum, maximum } = defaultInterval): void {
  if (minimum > maximum)
    throw invalidInput([{ path: 'body.interval', message: 'the minimum is at most the maximum' }]);
}

/** A name that is the same for the same address: `example-org-1a2b3c4d`. */
function nameFor(url: string): SubscriptionId {
  const host = new URL(url).hostname
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 50);
  return subscriptionId(`${host || 'feed'}-${createHash('sha256').update(url).digest('hex').slice(0, 8)}`);
}
