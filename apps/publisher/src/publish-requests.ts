import type { ChangeBlock, CollectionKey, PublishRequests } from '#core';
import type { PublishPorts, PublishSettings } from './publish-ports.ts';

/** The oldest requests for a collection, at most `limit`; undefined if there are none. */
export async function requestsFor(
  { backlog }: PublishPorts,
  collection: CollectionKey,
  limit: number,
): Promise<PublishRequests | undefined> {
  if (backlog === undefined) return { ids: [], everything: 1 };
  return unlessEmpty(await backlog.requested(collection, limit));
}

/** Forgets requests, and returns those after them. */
export async function nextRequests(
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
export async function gatheredRequests(
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
