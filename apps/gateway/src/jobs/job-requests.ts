import { Logger } from '@nestjs/common';
import { requestDeletion, requestFetch, requestPublish } from '#contracts';
import type { Job } from '#contracts';
import type { CollectionKey, ItemId, JobQueue, SubscriptionId } from '#core';

/** How many are sent in one go at the most. */
const mostAtOnce = 500;

/**
 * Asks other services for work, and does not wait for the transport: a write counts although Redis is away,
 * and what was not requested is found by the reconcilers. What is requested while a request is on its way
 * goes together into the next one, each work once.
 */
export class JobRequests {
  readonly #logger = new Logger(JobRequests.name);
  readonly #queue: JobQueue;
  readonly #waiting = new Map<string, Job>();
  #isSending = false;

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

  delete(collection: CollectionKey, deletion: string): void {
    this.#ask(requestDeletion(collection, deletion));
  }

  #ask(job: Job): void {
    const key = `${job.queue} ${job.deduplicate}`;
    const waiting = this.#waiting.get(key);
    this.#waiting.set(key, waiting ? joined(waiting, job) : job);
    if (!this.#isSending) void this.#sendAll();
  }

  async #sendAll(): Promise<void> {
    this.#isSending = true;
    // Whatever else is requested in this turn of the event loop comes along.
    await Promise.resolve();
    while (this.#waiting.size > 0) {
      const jobs = [...this.#waiting].slice(0, mostAtOnce);
      for (const [key] of jobs) this.#waiting.delete(key);
      await this.#send(jobs);
    }
    this.#isSending = false;
  }

  async #send(jobs: readonly (readonly [key: string, job: Job])[]): Promise<void> {
    try {
      await this.#queue.send(jobs.map(([, job]) => job));
    } catch (error) {
      const [first, ...others] = jobs.map(([key]) => key);
      const more = others.length === 0 ? '' : ` and ${others.length} more`;
      this.#logger.warn(`${first}${more}: not requested, to be found later: ${String(error)}`);
    }
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
