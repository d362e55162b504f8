import { FetchError, withoutHubSecrets } from '#core';
import type { Clock, HttpPost, HubSubscription, Random, Store } from '#core';
import { hubRequests } from '#service';
import { untilHostIsFree } from '../hosts/admit-fetch.ts';
import type { Hosts } from '../hosts/hosts.ts';
import { FetchPace } from '../slow/fetch-pace.ts';
import { untilDetached } from '../slow/paced-ports.ts';
import type { SlowPlaces } from '../slow/slow-places.ts';
import { hubStep, isNamed, refused, requested } from './hub-step.ts';

/** For how long nobody else takes one that was taken, in milliseconds. */
const takenFor = 900_000;

export interface HubPorts {
  readonly store: Pick<Store, 'hubs' | 'subscriptions'>;
  readonly http: HttpPost;
  readonly clock: Pick<Clock, 'now'>;
  readonly random: Pick<Random, 'fraction'>;
  readonly hosts?: Pick<Hosts, 'pauseOf'>;
  /** The places of requests to slow hubs; any may take as long as it takes if absent. */
  readonly slow?: SlowPlaces;
}

export interface HubSettings {
  /** What callbacks begin with; undefined if WebSub is off. */
  readonly callbacks?: string;
  /** The lease to request, in seconds. */
  readonly lease: number;
  /** Seconds until a request that led to nothing is sent again for the first time. */
  readonly retry: number;
}

/**
 * Subscribes, renews and unsubscribes at hubs, as far as that is due (WebSub, 5): each request is recorded
 * before it is sent, and what becomes of it is said by the hub's verification.
 * @param atOnce how many hubs are requested at the same time; the store is asked once if nothing is due
 */
export async function requestHubs(ports: HubPorts, settings: HubSettings, atOnce = 4): Promise<void> {
  const first = atOnce > 0 ? await takeDue(ports) : undefined;
  if (first === undefined) return;
  await Promise.all([requestEach(ports, settings, first), requestHubs(ports, settings, atOnce - 1)]);
}

function takeDue({ store, clock }: HubPorts): Promise<HubSubscription | undefined> {
  const now = clock.now();
  return store.hubs.takeDue(now, new Date(now.getTime() + takenFor));
}

async function requestEach(ports: HubPorts, settings: HubSettings, first: HubSubscription): Promise<void> {
  let row: HubSubscription | undefined = first;
  for (; row !== undefined; row = await takeDue(ports)) {
    const pace = ports.slow && new FetchPace(ports.slow);
    const ended = requestDue(ports, settings, row, pace).finally(() => pace?.end());
    await untilDetached(ended, pace);
  }
}

async function requestDue(
  ports: HubPorts,
  settings: HubSettings,
  row: HubSubscription,
  waits: FetchPace | undefined,
): Promise<void> {
  const { store, clock, random } = ports;
  const subscription = await store.subscriptions.find(row.collection, row.subscription);
  const now = clock.now();
  const step = hubStep(row, subscription, settings.callbacks, now);
  const hasLease = row.leasedUntil !== undefined && row.leasedUntil > now;
  if (step !== 'subscribe' && subscription !== undefined && isNamed(row, subscription))
    // A callback that is not ours any more announces nothing.
    await store.subscriptions.setHub(
      subscription,
      settings.callbacks === undefined ? undefined : subscription.hub,
    );
  if (step !== 'subscribe' || (row.leasedUntil !== undefined && !hasLease))
    await store.subscriptions.pollAsUsual({ collection: row.collection, id: row.subscription }, now);
  if (step === 'forget') return void (await store.hubs.remove(row));
  const sent = withinLease(
    requested(row, step, { now, fraction: random.fraction(), retry: settings.retry }),
    now,
  );
  if (!(await store.hubs.replace(row, sent))) return;
  try {
    const form = formOf(sent, settings.lease);
    await ports.http.post({ url: row.hub, form, ...(waits && { waits }) });
    hubRequests.inc({ mode: step, outcome: 'accepted' });
  } catch (error) {
    if (!(error instanceof FetchError)) throw error;
    hubRequests.inc({ mode: step, outcome: 'failed' });
    await noteFailure(ports, row, { ...sent, revision: row.revision + 1 }, error);
  }
}

/** What is requested of a hub (WebSub, 5.1). */
function formOf(
  { pending, topic, callback, secret }: HubSubscription,
  lease: number,
): Record<string, string> {
  return {
    'hub.mode': pending ?? '',
    'hub.topic': topic,
    'hub.callback': callback,
    ...(pending === 'subscribe' && { 'hub.lease_seconds': `${lease}`, 'hub.secret': secret }),
  };
}

/** Records that a request has failed, unless the hub has verified it all the same. */
async function noteFailure(
  { store, hosts, clock, random }: HubPorts,
  before: HubSubscription,
  sent: HubSubscription,
  error: FetchError,
): Promise<void> {
  const now = clock.now();
  const free = untilHostIsFree(error, hosts, { now, fraction: random.fraction() });
  const latter = free ? withinLease({ ...before, nextAt: free.nextFetchAt }, now) : refused(sent);
  if (!(await store.hubs.replace(sent, latter)) || free) return;
  const { collection, subscription, hub, topic } = sent;
  const reason = withoutHubSecrets(sent, error.message).slice(0, 500);
  await store.subscriptions.noteHub({ collection, id: subscription }, { url: hub, topic }, { reason });
  if (sent.leasedUntil !== undefined)
    await store.subscriptions.pollAsUsual({ collection, id: subscription }, now);
}

/** The same, due by the end of its lease if that is earlier; without one that has ended. */
function withinLease({ leasedUntil, ...row }: HubSubscription, now: Date): HubSubscription {
  if (leasedUntil === undefined || leasedUntil <= now) return row;
  return { ...row, leasedUntil, nextAt: row.nextAt < leasedUntil ? row.nextAt : leasedUntil };
}
