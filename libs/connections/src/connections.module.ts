import { Global, Inject, Injectable, Module } from '@nestjs/common';
import type { DynamicModule, OnApplicationShutdown } from '@nestjs/common';
import { HealthModule } from '#runtime';
import { openJobQueue } from '#queue';
import type { BullQueue } from '#queue';
import { openStore } from '#store';
import type { OpenStore } from '#store';

/** Under which Nest gives out the open `Store`. */
export const openedStore = Symbol('OpenStore');

/** Under which Nest gives out the open `JobQueue`. */
export const openedQueue = Symbol('OpenQueue');

/** Closes what jobs still needed while they finished: the queue first, the store last. */
@Injectable()
class Closing implements OnApplicationShutdown {
  constructor(
    @Inject(openedStore) private readonly store: OpenStore,
    @Inject(openedQueue) private readonly queue: BullQueue,
  ) {}

  async onApplicationShutdown(): Promise<void> {
    await this.queue.close();
    await this.store.close();
  }
}

/** Opens MongoDB and Redis once for a service, serves its health pages, and closes both last. */
@Global()
@Module({})
export class ConnectionsModule {
  static register({ REDIS_URL, MONGODB_URI }: { readonly REDIS_URL: string; readonly MONGODB_URI: string }): DynamicModule {
    return {
      module: ConnectionsModule,
      imports: [
        HealthModule.register({
          inject: [openedStore, openedQueue],
          checks: (store: OpenStore, queue: BullQueue) => ({ mongodb: () => store.ping(), redis: () => queue.ping() }),
        }),
      ],
      providers: [
        { provide: openedStore, useFactory: () => openStore({ uri: MONGODB_URI }) },
        { provide: openedQueue, useFactory: () => openJobQueue({ redisUrl: REDIS_URL }) },
        Closing,
      ],
      exports: [openedStore, openedQueue],
    };
  }
}
