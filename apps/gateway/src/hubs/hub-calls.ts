import { announcedReason, withoutHubSecrets } from '#core';
import type { HubSubscription, Subscription } from '#core';
import type { GatewayPorts } from '../gateway-ports.ts';
import { ProblemError } from '../problems/problem-error.ts';
import { decideAnnouncement } from './announcement.ts';
import { checkSignature } from './signature.ts';
import { verify } from './verification.ts';
import type { HubMessage } from './verification.ts';

/**
 * Finds what a callback is for. Throws `ProblemError` 404 for a token that none has.
 */
export async function findCallback({ store }: GatewayPorts, token: string): Promise<HubSubscription> {
  const row = /^[0-9a-f]{64}$/.test(token) ? await store.hubs.find(token) : undefined;
  if (row === undefined) throw notFound();
  return row;
}

/** The subscription that a callback is for; undefined if its feed is not read or names another hub. */
export async function readerOf(
  { store }: GatewayPorts,
  { collection, subscription, hub, topic }: HubSubscription,
): Promise<Subscription | undefined> {
  const reader = await store.subscriptions.find(collection, subscription);
  return reader?.status !== 'gone' && reader?.hub?.url === hub && reader.hub.topic === topic
    ? reader
    : undefined;
}

/** Records what a hub says of its lease. Throws `ProblemError` 404 for what was not requested of it. */
export async function takeMessage(
  ports: GatewayPorts,
  row: HubSubscription,
  message: HubMessage,
): Promise<void> {
  const { store, clock, random, configuration } = ports;
  const isWanted = (await readerOf(ports, row))?.status === 'active';
  const outcome = verify(row, message, isWanted, {
    now: clock.now(),
    fraction: random.fraction(),
    shortestLease: configuration.WEBSUB_SHORTEST_LEASE_SECONDS,
  });
  if (outcome === undefined) throw notFound();
  const isRecorded = await (outcome.row ? store.hubs.replace(row, outcome.row) : store.hubs.remove(row));
  // Another message, or the fetcher, came first.
  if (!isRecorded) throw notFound();
  const { collection, subscription: id, hub: url, topic } = row;
  const { reason } = outcome.change;
  await store.subscriptions.noteHub(
    { collection, id },
    { url, topic },
    {
      ...outcome.change,
      ...(typeof reason === 'string' && { reason: withoutHubSecrets(row, reason) }),
    },
  );
  if (row.leasedUntil !== undefined && outcome.row?.leasedUntil === undefined)
    await store.subscriptions.pollAsUsual({ collection, id }, clock.now());
}

/** What came of an announcement, as the metrics name it. */
export type AnnouncementResult = 'taken' | 'collapsed' | 'ignored' | 'unsigned' | 'forged';

/**
 * Takes an announcement of a change (WebSub, 7): if its signature is right, the feed is fetched soon. The
 * body says nothing that counts. Throws what reading the body throws, and `ProblemError` 410 if the feed is
 * not read any more.
 */
export async function takeAnnouncement(
  ports: GatewayPorts,
  row: HubSubscription,
  field: string | undefined,
  body: AsyncIterable<Uint8Array>,
): Promise<AnnouncementResult> {
  const { store, clock, jobs, configuration } = ports;
  const { collection, subscription: id, secret } = row;
  const reader = await readerOf(ports, row);
  if (reader?.hub === undefined)
    throw new ProblemError(410, 'callback-ended', 'Nobody waits for these announcements any more.');
  const check = checkSignature(field, secret);
  for await (const piece of body) check?.update(piece);
  if (check === undefined) return 'unsigned';
  if (!check.isRight()) return 'forged';
  const now = clock.now();
  const outcome = decideAnnouncement(reader, now, configuration.WEBSUB_FETCH_SECONDS * 1000);
  if (outcome.kind !== 'taken') return outcome.kind;
  const next = { nextFetchAt: outcome.at, nextFetchReason: announcedReason };
  if (!(await store.subscriptions.announce(reader, reader.hub, next))) return 'collapsed';
  if (outcome.at <= now) jobs.fetch(collection, id);
  return 'taken';
}

function notFound(): ProblemError {
  return new ProblemError(404, 'callback-not-found', 'There is nothing to verify or to announce here.');
}
