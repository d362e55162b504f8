import { Logger } from '@nestjs/common';
import { requestFetch, requestPublish } from '#contracts';
import type { Job } from '#contracts';
import type { CollectionKey, ItemId, JobQueue, SubscriptionId } from '#core';

/**
 * Asks other services for work, and does not wait for the transport: a write counts although Redis is away,
 * and what was not requested is found by the reconcilers. While one request for the same work is on its way,
 * further ones become one.
 */
export class JobRequests {
  readonly #logger = new Logger(JobRequests.name);
  readonly #queue: JobQueue;
  readonly #onTheirWay = new Map<string, { again?: Job }>();

  constructor(queue: JobQueue) {
    this.#queue = queue;
  }

  /** @param items those that were written; absent: whatever is pending in the collection */
  publish(collection: CollectionKey, items?: readonly ItemId[]): void {
    this.#ask(requestPublish(collection, items));
  }

  fetch(collection: CollectionKey, subscription: SubscriptionId): void {
    this.#ask(requestFetch(collection, subscription));
  }

  #ask(job: Job): void {
    const key = `${job.queue} ${job.deduplicate}`;
    const request = this.#onTheirWay.get(key);
    if (request) request.again = request.again ? joined(request.again, job) : job;
    else void this.#send(key, job);
  }

  async #send(key: string, job: Job): Promise<void> {
    const request: { again?: Job } = {};
    this.#onTheirWay.set(key, request);
    try {
      await this.#queue.send([job]);
    } catch (error) {
      this.#logger.warn(`${key} was not requested, it will be found later: ${String(error)}`);
    }
    this.#onTheirWay.delete(key);
    if (request.again) await this.#send(key, request.again);
  }
}

/** How many items a request names at most; with more it is for whatever is pending. */
const maximumItems = 1000;

/** One request for what two equal ones are about. */
function joined(former: Job, latter: Job): Job {
  if (former.queue !== 'publish' || latter.queue !== 'publish') return latter;
  const items = [...(former.items ?? []), ...(latter.items ?? [])];
  const isNamed = former.items !== undefined && latter.items !== undefined && items.length <= maximumItems;
  return requestPublish(latter.data.collection, isNamed ? items : undefined);
}
