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

async function publishRequested(
  ports: PublishPorts,
  settings: PublishSettings,
  key: CollectionKey,
  requests: PublishRequests,
): Promise<void> {
  const taken = await ports.store.collections.take(key, ports.holder, settings.lease);
  if (taken === undefined) return;
  const { lease, collection } = taken;
  let published: Publication | undefined;
  try {
    published = await publishUnder(ports, settings, lease, collection, requests);
  } catch (error) {
    // The log may hold a block that nobody has relayed, unseen by another publisher that has taken over.
    await ports.store.collections.abandon(lease);
    if (error instanceof LeaseLostError) return;
    throw error;
  }
  await ports.store.collections.release(lease, published);
}

/** The oldest requests for a collection, at most `limit`; undefined if there are none. */
async function requestsFor(
  { backlog }: PublishPorts,
  collection: CollectionKey,
  limit: number,
): Promise<PublishRequests | undefined> {
  if (backlog === undefined) return { ids: [], everything: 1 };
  const requests = await backlog.requested(collection, limit);
  return requests.ids.length + requests.everything === 0 ? undefined : requests;
}

/** Returns how far it is published, if that is yet to be recorded. */
async function publishUnder(
  ports: PublishPorts,
  settings: PublishSettings,
  lease: Lease,
  collection: Collection,
  firstRequests: PublishRequests,
): Promise<Publication | undefined> {
  const { store, clock, publicUrl } = ports;
  const { statesPublicationTimes } = protocolOf(collection);
  let { publication } = collection;
  let renewedAt = clock.now().getTime();
  const [last, first] = await Promise.all([
    store.changes.last(collection.key),
    pendingOf(store, collection, settings.block, firstRequests),
  ]);
  let requests: PublishRequests | undefined = firstRequests;
  let found: Pending | undefined = first;
  if (last !== undefined && lastSequence(last) > publication.sequence) {
    publication = await apply(ports, lease, collection, publication, last, []);
    found = undefined;
  }
  publication = await catchUp(ports, settings, lease, publication);
  const nextRequests = async (done: PublishRequests): Promise<PublishRequests | undefined> => {
    await ports.backlog?.published(collection.key, done);
    return requestsFor(ports, collection.key, settings.block);
  };
  while (requests !== undefined) {
    const pending: Pending = found ?? (await pendingOf(store, collection, settings.block, requests));
    const { items, notices, heads } = pending;
    found = undefined;
    if (items.length + notices.length + heads.length === 0) {
      if (ports.backlog === undefined) break;
      requests = await nextRequests(requests);
      continue;
    }
    const now = clock.now();
    const at = statesPublicationTimes
      ? publicationTime(now, publication.updatedAt ?? collection.createdAt)
      : now;
    if (clock.now().getTime() - renewedAt > settings.lease / 3) {
      await renew(ports, settings, lease);
      renewedAt = clock.now().getTime();
    }
    if (items.length + notices.length === 0) {
      publication = await publishHeads(store, lease, publication, heads, at);
      if (pending.isAll) requests = await nextRequests(requests);
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
    if (!(await store.changes.append(block))) throw new LeaseLostError();
    publication = await apply(ports, lease, collection, publication, block, heads);
    await ports.stream.append(lease.collection, block.events);
    ports.observeRelayed?.(items.slice(0, block.items.length), clock.now());
    // Recorded with the next block: a relay that is repeated adds nothing to the stream.
    publication = { ...publication, relayed: publication.sequence };
    if (pending.isAll && block.events.length === items.length + notices.length)
      requests = await nextRequests(requests);
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

async function renew(
  { store, holder }: PublishPorts,
  settings: PublishSettings,
  { collection, epoch }: Lease,
): Promise<void> {
  const renewed = await store.collections.lease(collection, holder, settings.lease);
  if (renewed?.epoch !== epoch) throw new LeaseLostError();
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
