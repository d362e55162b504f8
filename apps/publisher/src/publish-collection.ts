import type { PublishJob } from '#contracts';
import { UnavailableError } from '#core';
import type {
  ChangeBlock,
  Clock,
  Collection,
  CollectionKey,
  EventStream,
  Lease,
  Notice,
  PendingFeed,
  PendingItem,
  Publication,
  PublishBacklog,
  PublishRequests,
  Store,
} from '#core';
import { isFeedTree, protocolOf } from '#protocols';
import { advancePublication, LeaseLostError } from './advance-publication.ts';
import { composeBlock, fittingBlock } from './compose-block.ts';
import { feedWindow, publishedWindow } from './feed-window.ts';
import { propagateDates } from './propagate-dates.ts';
import { PublicationLease } from './publication-lease.ts';
import { publicationTime } from './publication-time.ts';
import { publishHeads } from './publish-heads.ts';
import { earliest } from './times.ts';
import { tombstonesDue } from './tombstone-age.ts';
import { windowEdge } from './window-edge.ts';

/** What publishing needs of the world. */
export interface PublishPorts {
  readonly store: Store;
  readonly stream: EventStream;
  /** What is requested; whatever is pending if absent. */
  readonly backlog?: PublishBacklog;
  readonly clock: Clock;
  readonly publicUrl: string;
  /** Told of items whose changes were relayed, and when. */
  readonly observeRelayed?: (items: readonly PendingItem[], at: Date) => void;
  /** This run, as the holder of a lease: two runs at once are two holders, in one process too. */
  readonly holder: string;
  /** The last epoch that this process has released of each collection. */
  readonly released?: Map<CollectionKey, number>;
  /** How many milliseconds after a block the next one begins at the earliest, while requests go on (0). */
  readonly gather?: () => number;
  /** Runs of this process that MongoDB's absence ended, as holders; their leases may still run. */
  readonly left?: Map<CollectionKey, string>;
}

export interface PublishSettings {
  /** Changes in a block. */
  readonly block: number;
  /** How many bytes they may take together (default 4194304). */
  readonly blockBytes?: number;
  /** How long a lease runs without being renewed, in milliseconds. */
  readonly lease: number;
  /** How many collections this process publishes at the same time (1). */
  readonly concurrency?: number;
  /** How many changes stay readable in the log behind the newest. */
  readonly retention: number;
}

const defaultBlockBytes = 4_194_304;

/**
 * Publishes what is pending in one collection, under its lease:
 *
 *     requests ─▶ lease ─▶ last block finished ─▶ pending ─▶ block appended to the log ─▶ applied, relayed
 *                                                    ▲           (sequences are issued)      │
 *                                                    └───────────── requests ◀───────────────┘
 *
 * If named items alone are requested and the lease is vacant, so that no block can be unfinished, it is taken
 * while the block is appended.
 *
 * The log has no gap and a place in it is taken once, so a publisher that was paused can't issue a sequence
 * that is already issued; every later step may be repeated, by this publisher or the next.
 *
 * Requests are forgotten once what they name is published, and nothing is done where there are none: what was
 * requested has been published by then, or is looked for by everything that is pending.
 *
 * In a tree of feeds, feeds whose title or head is another get the date of the block that is published next,
 * or one of their own if nothing else is pending.
 */
export async function publishCollection(
  ports: PublishPorts,
  settings: PublishSettings,
  { collection: key }: PublishJob,
): Promise<void> {
  const requests = await requestsFor(ports, key, settings.block);
  if (requests === undefined) return;
  await abandonLeft(ports, settings, key);
  try {
    await publishRequested(ports, settings, key, requests);
  } catch (error) {
    if (error instanceof UnavailableError) ports.left?.set(key, ports.holder);
    throw error;
  }
}

/** Ends the lease of an earlier run of this process, so that nobody waits until it has run out. */
async function abandonLeft(
  { store, left }: PublishPorts,
  settings: PublishSettings,
  key: CollectionKey,
): Promise<void> {
  const holder = left?.get(key);
  if (holder === undefined) return;
  const lease = await store.collections.lease(key, holder, settings.lease);
  // A write of that run may still be on its way: abandoned, the lease has another epoch for the next holder.
  if (lease !== undefined) await store.collections.abandon(lease);
  left?.delete(key);
}

/** Where a run begins. */
interface Start {
  readonly lease: PublicationLease;
  /** What is pending of the requests, if no other run can have published it meanwhile. */
  readonly pending?: Pending;
}

async function publishRequested(
  ports: PublishPorts,
  settings: PublishSettings,
  key: CollectionKey,
  firstRequests: PublishRequests,
): Promise<void> {
  let mayBeVacant = true;
  for (let requests: PublishRequests | undefined = firstRequests; requests !== undefined;) {
    const vacant = mayBeVacant ? await startVacant(ports, settings, key, requests) : undefined;
    const start = vacant ?? (await startTaken(ports, settings, key));
    if (start === undefined) return;
    if (start.pending?.items.length === 0) {
      requests = await nextRequests(ports, settings, key, requests);
      continue;
    }
    const { lease } = start;
    try {
      const published = await publishUnder(ports, settings, start, requests);
      await ports.store.collections.release(lease.lease, published);
      remember(ports, lease.lease);
      return;
    } catch (error) {
      // The log may hold a block that nobody has relayed, unseen by another publisher that has taken over.
      await lease.abandon();
      if (!(error instanceof LeaseLostError)) throw error;
      if (vacant === undefined) return;
    }
    mayBeVacant = false;
    requests = await requestsFor(ports, key, settings.block);
  }
}

/** How many collections are remembered. */
const maximumReleased = 10_000;

function remember({ released }: PublishPorts, { collection, epoch }: Lease): void {
  if (released === undefined) return;
  if (released.size >= maximumReleased) released.clear();
  released.set(collection, epoch);
}

/**
 * Begins where nobody has to be waited for and no block can be unfinished. What is pending must not be read
 * before another publication: it is read after the collection, or beside it if the last holder was of this
 * process. If another publication comes between that and the append, the place in the log is taken.
 */
async function startVacant(
  ports: PublishPorts,
  settings: PublishSettings,
  key: CollectionKey,
  requests: PublishRequests,
): Promise<Start | undefined> {
  // Whoever requests everything may know that something is unfinished.
  if (requests.everything > 0) return undefined;
  const { collections, items } = ports.store;
  const epoch = ports.released?.get(key);
  const [vacant, early] = await Promise.all([
    collections.vacant(key),
    epoch === undefined ? undefined : items.pendingAmong(key, requests.ids),
  ]);
  if (vacant === undefined) return undefined;
  const { lease, collection } = vacant;
  if (collection.publication.relayed < collection.publication.sequence) return undefined;
  const found =
    early !== undefined && lease.epoch - 1 === epoch ? early : await items.pendingAmong(key, requests.ids);
  const pending = { items: found, notices: [], heads: [], isAll: true };
  return { lease: new PublicationLease(ports, vacant, settings.lease, false), pending };
}

async function startTaken(
  ports: PublishPorts,
  settings: PublishSettings,
  key: CollectionKey,
): Promise<Start | undefined> {
  const taken = await ports.store.collections.take(key, ports.holder, settings.lease);
  return taken && { lease: new PublicationLease(ports, taken, settings.lease, true) };
}

/** The oldest requests for a collection, at most `limit`; undefined if there are none. */
async function requestsFor(
  { backlog }: PublishPorts,
  collection: CollectionKey,
  limit: number,
): Promise<PublishRequests | undefined> {
  if (backlog === undefined) return { ids: [], everything: 1 };
  return unlessEmpty(await backlog.requested(collection, limit));
}

/** Forgets requests, and returns those after them. */
async function nextRequests(
  ports: PublishPorts,
  { block }: PublishSettings,
  collection: CollectionKey,
  done: PublishRequests,
): Promise<PublishRequests | undefined> {
  const { backlog } = ports;
  if (backlog === undefined) return requestsFor(ports, collection, block);
  return unlessEmpty(await backlog.published(collection, done, block));
}

function unlessEmpty(requests: PublishRequests): PublishRequests | undefined {
  return requests.ids.length + requests.everything === 0 ? undefined : requests;
}

/**
 * What is requested by the time at which the next block may begin. Where edits come faster than blocks are
 * published, this makes fewer and longer blocks of them, and one job and lease for many. A single edit does
 * not wait, nor does any behind it.
 * @param last the block before, and when it began
 * @param requests what is requested so far
 */
async function gatheredRequests(
  ports: PublishPorts,
  settings: PublishSettings,
  last: { readonly block: ChangeBlock; readonly at: Date },
  requests: PublishRequests | undefined,
): Promise<PublishRequests | undefined> {
  const { clock, gather = () => 0 } = ports;
  const { ids, everything } = requests ?? { ids: [], everything: 0 };
  const isSingle = requests === undefined && last.block.events.length === 1;
  if (isSingle || everything > 0 || ids.length >= settings.block / 4) return requests;
  const wait = last.at.getTime() + gather() - clock.now().getTime();
  if (wait <= 0) return requests;
  await clock.wait(wait);
  return requestsFor(ports, last.block.collection, settings.block);
}

/** Returns how far it is published, if that is yet to be recorded. */
async function publishUnder(
  ports: PublishPorts,
  settings: PublishSettings,
  start: Start,
  firstRequests: PublishRequests,
): Promise<Publication | undefined> {
  const { store, clock, publicUrl } = ports;
  const { lease: held } = start;
  const { lease, collection } = held;
  const { statesPublicationTimes } = protocolOf(collection);
  let { publication } = collection;
  let renewedAt = clock.now().getTime();
  let requests: PublishRequests | undefined = firstRequests;
  let found: Pending | undefined = start.pending;
  if (found === undefined) {
    const [last, first] = await Promise.all([
      store.changes.last(collection.key),
      pendingOf(store, collection, settings.block, firstRequests),
    ]);
    found = first;
    if (last !== undefined && lastSequence(last) > publication.sequence) {
      publication = await apply(ports, lease, collection, publication, last, []);
      found = undefined;
    }
    publication = await catchUp(ports, settings, lease, publication);
  }
  while (requests !== undefined) {
    const pending: Pending = found ?? (await pendingOf(store, collection, settings.block, requests));
    const { items, notices, heads } = pending;
    found = undefined;
    if (items.length + notices.length + heads.length === 0) {
      if (ports.backlog === undefined) break;
      requests = await nextRequests(ports, settings, collection.key, requests);
      continue;
    }
    const now = clock.now();
    const at = statesPublicationTimes
      ? publicationTime(now, publication.updatedAt ?? collection.createdAt)
      : now;
    if (clock.now().getTime() - renewedAt > settings.lease / 3) {
      await held.renew();
      renewedAt = clock.now().getTime();
    }
    if (items.length + notices.length === 0) {
      publication = await publishHeads(store, lease, publication, heads, at);
      if (pending.isAll) requests = await nextRequests(ports, settings, collection.key, requests);
      continue;
    }
    const material = {
      collection: collection.key,
      endpoint: collection.endpoint,
      after: publication.sequence,
      items,
      notices,
      publicUrl,
      now,
      at,
    };
    const block = fittingBlock(composeBlock(material), settings.blockBytes ?? defaultBlockBytes);
    await held.append(block);
    publication = await apply(ports, lease, collection, publication, block, heads);
    await ports.stream.append(lease.collection, block.events);
    ports.observeRelayed?.(items.slice(0, block.items.length), clock.now());
    // Recorded with the next block: a relay that is repeated adds nothing to the stream.
    publication = { ...publication, relayed: publication.sequence };
    if (pending.isAll && block.events.length === items.length + notices.length) {
      const next = await nextRequests(ports, settings, collection.key, requests);
      requests = await gatheredRequests(ports, settings, { block, at: now }, next);
    }
  }
  if (publication.sequence > settings.retention)
    await store.changes.prune(collection.key, publication.sequence - settings.retention);
  return publication.sequence > collection.publication.sequence ? publication : undefined;
}

/** What is to be published. */
interface Pending {
  readonly items: readonly PendingItem[];
  readonly notices: readonly Notice[];
  /** Of a tree of feeds: those whose title or head is another. */
  readonly heads: readonly PendingFeed[];
  /** Whether that is all that was requested. */
  readonly isAll: boolean;
}

/**
 * Reads what is pending of what is requested. Notices and feeds are pending for requests of everything alone.
 * Feeds are read before any of them gets the date of a block, so that whoever finds the date finds what they
 * say now.
 */
async function pendingOf(
  { items, notices, feeds }: Pick<Store, 'items' | 'notices' | 'feeds'>,
  collection: Collection,
  limit: number,
  { ids, everything }: PublishRequests,
): Promise<Pending> {
  const { key } = collection;
  const named = ids.length > 0 ? await items.pendingAmong(key, ids) : [];
  if (everything === 0) return { items: named, notices: [], heads: [], isAll: true };
  const [found, pendingNotices, heads] = await Promise.all([
    items.pending(key, limit),
    notices.pending(key, limit),
    isFeedTree(collection) ? feeds.pending(key, limit) : [],
  ]);
  const all = [...new Map([...named, ...found].map((item) => [item.id, item])).values()];
  const isAll = [all, found, pendingNotices, heads].every(({ length }) => length < limit);
  return { items: all.slice(0, limit), notices: pendingNotices, heads, isAll };
}

/**
 * Records a block on its items, with the time from which readers see it, and moves the publication and the
 * window's start (FeedSync 4.2.3, 4.2.4). Where feeds state that time, it is the block's own, and must be the
 * same when this is repeated. In a tree of feeds it is carried up to the root,
 * also from the feeds whose heads are others; these end to be pending once the lease was still held after
 * that, as in `publishHeads`.
 */
async function apply(
  { store, clock }: PublishPorts,
  lease: Lease,
  collection: Collection,
  publication: Publication,
  block: ChangeBlock,
  heads: readonly PendingFeed[],
): Promise<Publication> {
  const { key, settings } = collection;
  const now = clock.now();
  const updatedAt = protocolOf(collection).statesPublicationTimes ? block.at : now;
  await store.items.markPublished(key, block.items, updatedAt);
  if (isFeedTree(collection)) await propagateDates(store, key, { items: block.items, heads }, updatedAt);
  if (block.notices.length > 0) await store.notices.remove(key, block.notices);
  const applied = { ...publication, sequence: lastSequence(block), updatedAt };
  const steps = { from: publication.sequence, to: applied.sequence };
  const { since, nextAt } = await windowEdge(
    store.items,
    { ...collection, publication: applied },
    publishedWindow(feedWindow(settings, publication.since, now), steps),
    now,
  );
  const purgeAt = earliest(nextAt, tombstonesDue(collection, block.at));
  const advanced = await advancePublication(store, lease, { ...applied, since }, purgeAt);
  if (heads.length > 0) await store.feeds.markPublished(key, heads);
  return advanced;
}

/** Relays what an interrupted run has left. */
async function catchUp(
  { store, stream }: PublishPorts,
  settings: PublishSettings,
  lease: Lease,
  publication: Publication,
): Promise<Publication> {
  let current = publication;
  while (current.relayed < current.sequence) {
    const events = await store.changes.read(lease.collection, current.relayed, settings.block);
    const last = events.at(-1);
    if (last === undefined) break;
    await stream.append(lease.collection, events);
    current = await advancePublication(store, lease, { ...current, relayed: Number(last.sequence) });
  }
  return current;
}

function lastSequence({ first, events }: ChangeBlock): number {
  return first + events.length - 1;
}
