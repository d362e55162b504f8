import { Global, Injectable, Module } from '@nestjs/common';
import type { BeforeApplicationShutdown, DynamicModule, OnModuleDestroy, Type } from '@nestjs/common';

/**
 * Takes no more work, waits for what is in progress, and gives up what is not done after so many
 * milliseconds.
 */
type Drain = (grace: number) => Promise<void>;

/**
 * The end of a service, in three steps: it is announced, so that nobody sends more; no more work is taken,
 * and what is in progress may finish within the grace; then connections are closed, which is for
 * `OnApplicationShutdown` hooks.
 */
@Injectable()
export class Shutdown implements OnModuleDestroy, BeforeApplicationShutdown {
  readonly #grace: number;
  readonly #drains: Drain[] = [];
  readonly #announcements: (() => void)[] = [];
  #announced = false;
  #drained: Promise<unknown> | undefined;

  /** @param grace milliseconds */
  constructor(grace: number) {
    this.#grace = grace;
  }

  /** Whether the service is about to end. */
  get announced(): boolean {
    return this.#announced;
  }

  /** What to do at the announcement. */
  onAnnounced(listener: () => void): void {
    this.#announcements.push(listener);
  }

  /** Adds what takes work in. All of it is drained at the same time. */
  add(drain: Drain): void {
    this.#drains.push(drain);
  }

  announce(): void {
    if (this.#announced) return;
    this.#announced = true;
    for (const listener of this.#announcements) listener();
  }

  onModuleDestroy(): void {
    this.announce();
    this.#drained = Promise.all(this.#drains.map((drain) => drain(this.#grace)));
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.#drained;
  }
}

/** The module of a service, with its `Shutdown` for everything in it. */
@Global()
@Module({})
export class ServiceModule {
  static register(module: Type | DynamicModule, shutdown: Shutdown): DynamicModule {
    const provider = { provide: Shutdown, useFactory: () => shutdown };
    return { module: ServiceModule, imports: [module], providers: [provider], exports: [Shutdown] };
  }
}
