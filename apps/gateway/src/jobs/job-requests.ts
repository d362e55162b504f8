import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { requestDeletion, requestFetch, requestFirstFetches, requestPublish } from '#contracts';
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
  #firstFetches = new Map<CollectionKey, SubscriptionId[]>();
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

  /** Asks for the first fetch of a new subscription, together with others of its collection. */
  fetchNew(collection: CollectionKey, subscription: SubscriptionId): void {
    const others = this.#firstFetches.get(collection);
    if (others) others.push(subscription);
    else this.#firstFetches.set(collection, [subscription]);
    this.#begin();
  }

  delete(collection: CollectionKey, deletion: string): void {
    this.#ask(requestDeletion(collection, deletion));
  }

  #ask(job: Job): void {
    const key = `${job.queue} ${job.deduplicate}`;
    const waiting = this.#waiting.get(key);
    this.#waiting.set(key, waiting ? joined(waiting, job) : job);
    this.#begin();
  }

  #begin(): void {
    if (!this.#isSending) void this.#sendAll();
  }

  async #sendAll(): Promise<void> {
    this.#isSending = true;
    while (this.#waiting.size > 0 || this.#firstFetches.size > 0) {
      // Whatever else is requested in this turn of the event loop comes along.
      await yieldToEventLoop();
      this.#takeFirstFetches();
      const jobs = [...this.#waiting].slice(0, mostAtOnce);
      for (const [key] of jobs) this.#waiting.delete(key);
      await this.#send(jobs);
    }
    this.#isSending = false;
  }

  #takeFirstFetches(): void {
    for (const [collection, subscriptions] of this.#firstFetches)
      for (const job of requestFirstFetches(collection, subscriptions))
        this.#waiting.set(`fetch new ${collection}/${job.data.subscription}`, job);
    this.#firstFetches = new Map();
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
