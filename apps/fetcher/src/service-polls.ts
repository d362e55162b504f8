import { setTimeout as wait } from 'node:timers/promises';
import type { BeforeApplicationShutdown, OnModuleDestroy } from '@nestjs/common';
import { Polls } from './polls.ts';

/** The polls of this process, whose end waits for those in flight, but no longer than the grace. */
export class ServicePolls extends Polls implements OnModuleDestroy, BeforeApplicationShutdown {
  readonly #grace: number;
  #deadline: Promise<void> | undefined;

  /** @param grace milliseconds that the end of the service waits for polls */
  constructor(grace: number, ...polls: ConstructorParameters<typeof Polls>) {
    super(...polls);
    this.#grace = grace;
  }

  onModuleDestroy(): void {
    this.end();
    this.#deadline = wait(this.#grace, undefined, { ref: false });
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.race([this.settled(), this.#deadline]);
  }
}
