import { requestFollow, requestPublish } from '#contracts';
import type { Clock, Collection, Completion, JobQueue, Notice, PublicationOutcome, Store } from '#core';
import { composeBlock } from './compose-block.ts';
import { isPublishedAtOnce } from './written-block.ts';

/** What completing a fetch needs of the world. */
interface CompletionPorts {
  readonly store: Pick<Store, 'collections' | 'subscriptions' | 'notices'>;
  readonly queue: JobQueue;
  readonly clock: Pick<Clock, 'now'>;
}

/** How often others may be faster before the notice waits for a publisher. */
const mostRaces = 5;

/**
 * Completes a fetch, and publishes its notice, where writers publish in the same step; elsewhere the notice
 * is stored first, and published by a publisher. Nothing is published of a fetch whose lease has been lost.
 */
export async function completeFetch(
  ports: CompletionPorts,
  collection: Collection,
  completion: Completion,
  notice: Notice,
): Promise<void> {
  const { store, queue } = ports;
  if (isPublishedAtOnce(collection)) {
    const outcome = await publish(ports, completion, notice);
    if (outcome === 'published') await queue.send([requestFollow(collection.key)]);
    if (outcome !== 'raced') return;
  }
  await store.notices.add(notice);
  await store.subscriptions.completeAll([completion]);
  await queue.send([requestPublish(collection.key)]);
}

async function publish(
  { store, clock }: CompletionPorts,
  completion: Completion,
  notice: Notice,
): Promise<PublicationOutcome> {
  for (let races = 0; races <= mostRaces; races += 1) {
    const collection = await store.collections.find(notice.collection);
    if (collection === undefined) return 'refused';
    const material = { collection, items: [], notices: [notice], publicUrl: '', now: clock.now() };
    const block = composeBlock(material);
    const outcome = await store.subscriptions.completePublished(completion, collection, block);
    if (outcome !== 'raced') return outcome;
  }
  return 'raced';
}
