import type { PublishJob } from '#contracts';
import { UnavailableError } from '#core';
import type {
  ChangeBlock,
  Collection,
  CollectionKey,
  Lease,
  PendingFeed,
  Publication,
  PublishRequests,
} from '#core';
import { isFeedTree, protocolOf } from '#protocols';
import { advancePublication, LeaseLostError } from './advance-publication.ts';
import { composeBlock, fittingBlock } from './compose-block.ts';
import { feedWindow, publishedWindow } from './feed-window.ts';
import { pendingOf } from './pending-changes.ts';
import type { PendingChanges } from './pending-changes.ts';
import { propagateDates } from './propagate-dates.ts';
import { abandonLeft, rememberReleased, startTaken, startVacant } from './publication-start.ts';
import type { PublicationStart } from './publication-start.ts';
import { publicationTime } from './publication-time.ts';
import { publishHeads } from './publish-heads.ts';
import type { PublishPorts, PublishSettings } from './publish-ports.ts';
import { gatheredRequests, nextRequests, requestsFor } from './publish-requests.ts';
import { earliest } from './times.ts';
import { tombstonesDue } from './tombstone-age.ts';
import { withItems } from './with-items.ts';
import { windowEdge } from './window-edge.ts';

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
      rememberReleased(ports, lease.lease);
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

/** Returns how far it is published, if that is yet to be recorded. */
async function publishUnder(
  ports: PublishPorts,
  settings: PublishSettings,
  start: PublicationStart,
  firstRequests: PublishRequests,
): Promise<Publication | undefined> {
  const { store, clock, publicUrl } = ports;
  const { lease: held } = start;
  const { lease, collection } = held;
  const { statesPublicationTimes } = protocolOf(collection);
  const { blockBytes = defaultBlockBytes } = settings;
  let { publication } = collection;
  let renewedAt = clock.now().getTime();
  let requests: PublishRequests | undefined = firstRequests;
  let found: PendingChanges | undefined = start.pending;
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
    const pending: PendingChanges = found ?? (await pendingOf(store, collection, settings.block, requests));
    const { notices, heads } = pending;
    const items = await withItems(ports, collection, pending.items, blockBytes);
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
    const block = fittingBlock(composeBlock(material), blockBytes);
    await held.append(block);
    publication = await apply(ports, lease, collection, publication, block, heads);
    await ports.stream.append(lease.collection, block.events);
    ports.observeRelayed?.(items.slice(0, block.items.length), clock.now());
    // Recorded with the next block: a relay that is repeated adds nothing to the stream.
    publication = { ...publication, relayed: publication.sequence };
    if (pending.isAll && block.events.length === pending.items.length + notices.length) {
      const next = await nextRequests(ports, settings, collection.key, requests);
      requests = await gatheredRequests(ports, settings, { block, at: now }, next);
    }
  }
  if (publication.sequence > settings.retention)
    await store.changes.prune(collection.key, publication.sequence - settings.retention);
  return publication.sequence > collection.publication.sequence ? publication : undefined;
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
  if (block.notices.length > 0) await store.notices.markPublished(key, block.notices, now);
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
    const { block, blockBytes = defaultBlockBytes } = settings;
    const events = await store.changes.read(lease.collection, current.relayed, block, blockBytes);
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
