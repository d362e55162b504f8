import type {
  LoggerService,
  BeforeApplicationShutdown,
  OnApplicationBootstrap,
  OnModuleDestroy,
} from '@nestjs/common';
import { setTimeout as wait } from 'node:timers/promises';

/** How much longer a pause may be, as a share of it: processes that started together do not keep step. */
const jitter = 0.2;

/** How many times as long as its work the pause of a light task is. */
const lightness = 9;

/** How long the end of a service waits for a run, in milliseconds, if it is not said. */
const usualGrace = 20_000;

/**
 * Does a piece of work again and again while the service runs, with a pause in between; that of a light task
 * is at least nine times as long as the work took, unless it failed: what kept it waiting may be over. What
 * it throws is logged, once as long as it stays the same, and it is done again after the pause. Ending the
 * service waits for the current run, but no longer than the grace.
 */
export class PeriodicTask implements OnApplicationBootstrap, OnModuleDestroy, BeforeApplicationShutdown {
  readonly #ended = new AbortController();
  #running: Promise<void> | undefined;
  #deadline: Promise<void> | undefined;
  #fault: string | undefined;

  /**
   * @param pause milliseconds between the end of one run and the beginning of the next
   * @param grace milliseconds that the end of the service waits for a run
   * @param isLight whether it works for a tenth of the time at the most
   */
  constructor(
    private readonly name: string,
    private readonly pause: number,
    private readonly work: () => Promise<void>,
    private readonly logger: Pick<LoggerService, 'warn' | 'log'>,
    private readonly grace = usualGrace,
    private readonly isLight = false,
  ) {}

  onApplicationBootstrap(): void {
    this.#running = this.#repeat();
  }

  onModuleDestroy(): void {
    this.#ended.abort();
    this.#deadline = wait(this.grace, undefined, { ref: false });
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.race([this.#running, this.#deadline]);
  }

  async #repeat(): Promise<void> {
    const { signal } = this.#ended;
    while (!signal.aborted) {
      const startedAt = performance.now();
      const succeeded = await this.#run();
      const pause =
        this.isLight && succeeded
          ? Math.max(this.pause, lightness * (performance.now() - startedAt))
          : this.pause;
      await wait(pause * (1 + jitter * Math.random()), undefined, { signal }).catch(() => undefined);
    }
  }

  /** Returns whether it succeeded. */
  async #run(): Promise<boolean> {
    try {
      await this.work();
      if (this.#fault !== undefined) this.logger.log(`${this.name} works again`);
      this.#fault = undefined;
      return true;
    } catch (error) {
      const fault = String(error);
      if (fault !== this.#fault) this.logger.warn(`${this.name} failed and is tried again: ${fault}`);
      this.#fault = fault;
      return false;
    }
  }
}
