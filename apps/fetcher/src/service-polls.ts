import { setTimeout as wait } from 'node:timers/promises';
import type { BeforeApplicationShutdown, OnModuleDestroy } from '@nestjs/common';
import { nameOf } from '#core';
import type { Subscription } from '#core';
import { inSpan } from '#service';
import { Polls } from './polls.ts';

/**
 * The polls of this process: each is a trace of its own, and their end waits for those in flight, but no
 * longer than the grace.
 */
export class ServicePolls extends Polls implements OnModuleDestroy, BeforeApplicationShutdown {
  readonly #grace: number;
  #deadline: Promise<void> | undefined;

  /** @param grace milliseconds that the end of the service waits for polls */
  constructor(grace: number, ...polls: ConstructorParameters<typeof Polls>) {
    super(...polls);
    this.#grace = grace;
  }

  protected override fetch(subscription: Subscription): Promise<void> {
    const { collection, id } = subscription;
    const attributes = { 'feedmesh.collection': nameOf(collection), 'feedmesh.subscription': id };
    return inSpan('poll', attributes, () => super.fetch(subscription));
  }

  onModuleDestroy(): void {
    this.end();
    this.#deadline = wait(this.#grace, undefined, { ref: false });
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.race([this.idle(), this.#deadline]);
  }
}
