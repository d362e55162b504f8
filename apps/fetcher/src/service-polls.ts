import { setTimeout as wait } from 'node:timers/promises';
import type { BeforeApplicationShutdown, OnModuleDestroy } from '@nestjs/common';
import { nameOf } from '#core';
import type { FoundSubscription } from '#core';
import { inSpan } from '#service';
import type { FetchPorts } from './fetch-ports.ts';
import { Polls } from './polls.ts';
import type { SlowPlaces } from './slow/slow-places.ts';

/**
 * The polls of this process: each is a trace of its own, and their end waits for those in flight, but no
 * longer than the grace.
 */
export class ServicePolls extends Polls implements OnModuleDestroy, BeforeApplicationShutdown {
  readonly #grace: number;
  readonly #slow: Pick<SlowPlaces, 'idle'>;
  #deadline: Promise<void> | undefined;

  /**
   * @param grace milliseconds that the end of the service waits for polls
   * @param slow fetches that its end waits for too
   */
  constructor(grace: number, slow: SlowPlaces, ...polls: ConstructorParameters<typeof Polls>) {
    super(...polls);
    this.#grace = grace;
    this.#slow = slow;
  }

  protected override fetch(subscription: FoundSubscription, ports: FetchPorts): Promise<void> {
    const { collection, id } = subscription;
    const attributes = { 'feedmesh.collection': nameOf(collection), 'feedmesh.subscription': id };
    return inSpan('poll', attributes, () => super.fetch(subscription, ports));
  }

  onModuleDestroy(): void {
    this.end();
    this.#deadline = wait(this.#grace, undefined, { ref: false });
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.race([Promise.all([this.idle(), this.#slow.idle()]), this.#deadline]);
  }
}
