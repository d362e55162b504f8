import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { requestDeletion, requestFetch, requestFirstFetches, requestPublish } from '#contracts';
import type { Job } from '#contracts';
import { requestPublication } from '#items';
import type { Collection, CollectionKey, JobQueue, SubscriptionId } from '#core';

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

  /** Requests the events of items that were written, or their publication. */
  written(collection: Collection): void {
    this.#ask(requestPublication(collection));
  }

  publish(collection: CollectionKey): void {
    this.#ask(requestPublish(collection));
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
    this.#waiting.set(`${job.queue} ${job.deduplicate}`, job);
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
