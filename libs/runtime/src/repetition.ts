import type { LoggerService, OnApplicationBootstrap, BeforeApplicationShutdown } from '@nestjs/common';
import { setTimeout as wait } from 'node:timers/promises';

/** How much longer a pause may be, as a share of it: processes that started together do not keep step. */
const jitter = 0.2;

/**
 * Does a piece of work again and again while the service runs, with a pause in between. What it throws is logged, and it is done
 * again after the pause. Ending the service waits for the run under way.
 */
export class Repetition implements OnApplicationBootstrap, BeforeApplicationShutdown {
  readonly #ended = new AbortController();
  #running: Promise<void> | undefined;

  /** @param pause milliseconds between the end of one run and the beginning of the next */
  constructor(
    private readonly name: string,
    private readonly pause: number,
    private readonly work: () => Promise<void>,
    private readonly logger: Pick<LoggerService, 'warn'>,
  ) {}

  onApplicationBootstrap(): void {
    this.#running = this.#repeat();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.#ended.abort();
    await this.#running;
  }

  async #repeat(): Promise<void> {
    const { signal } = this.#ended;
    while (!signal.aborted) {
      try {
        await this.work();
      } catch (error) {
        this.logger.warn(`${this.name} failed and is tried again: ${String(error)}`);
      }
      await wait(this.pause * (1 + jitter * Math.random()), undefined, { signal }).catch(() => undefined);
    }
  }
}
