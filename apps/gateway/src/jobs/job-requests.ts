import { Logger } from '@nestjs/common';
import { requestFetch, requestPublish } from '#contracts';
import type { Job } from '#contracts';
import type { CollectionKey, JobQueue, SubscriptionId } from '#core';

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

  publish(collection: CollectionKey): void {
    this.#ask(requestPublish(collection));
  }

  fetch(collection: CollectionKey, subscription: SubscriptionId): void {
    this.#ask(requestFetch(collection, subscription));
  }

  #ask(job: Job): void {
    const key = `${job.queue} ${job.deduplicate}`;
    const request = this.#onTheirWay.get(key);
    if (request) request.again = job;
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
