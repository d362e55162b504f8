import { Global, Inject, Injectable, Logger, Module } from '@nestjs/common';
import type { DynamicModule, OnApplicationShutdown } from '@nestjs/common';
import { HealthModule } from './health/health.module.ts';
import type { HealthNote } from './health/health-notes.ts';
import { redisLocation } from './settings/redis-settings.ts';
import type { RedisConfiguration } from './settings/redis-settings.ts';
import type { BullQueue } from '#queue';
import type { OpenStore } from '#store';
import { flushTraces, loggedFetches, measuredStore, queueSpans, tracedStore } from '#telemetry';

/** Under which Nest gives out the open `Store`. */
export const openedStore = Symbol('OpenStore');

/** Under which Nest gives out the open `JobQueue`. */
export const openedQueue = Symbol('OpenQueue');

/** The settings of a service that say where its databases are. */
interface ConnectionSettings extends RedisConfiguration {
  readonly MONGODB_URI: string;
  readonly MONGODB_SELECTION_SECONDS: number;
  readonly MONGODB_CONNECTIONS: number;
  readonly ITEM_STORED_BYTES: number;
}

/** Closes what jobs still needed while they finished: the queue first, the store, and the traces last. */
@Injectable()
class Closing implements OnApplicationShutdown {
  constructor(
    @Inject(openedStore) private readonly store: OpenStore,
    @Inject(openedQueue) private readonly queue: BullQueue,
  ) {}

  async onApplicationShutdown(): Promise<void> {
    await this.queue.close();
    await this.store.close();
    await flushTraces();
  }
}

/**
 * Opens MongoDB and Redis once for a service, serves its health pages, and closes both last. If one of them
 * is away, the service starts all the same and waits for it.
 */
@Global()
@Module({})
export class ConnectionsModule {
  /**
   * Throws `ConfigurationError` if the settings of Redis contradict each other.
   * @param answerSeconds how long MongoDB may take to answer an operation
   * @param notes what the health page says beside its checks
   */
  static register(
    settings: ConnectionSettings,
    answerSeconds: number,
    notes: (store: OpenStore) => Readonly<Record<string, HealthNote>> = () => ({}),
  ): DynamicModule {
    const location = redisLocation(settings);
    return {
      module: ConnectionsModule,
      imports: [
        HealthModule.register({
          inject: [openedStore, openedQueue],
          checks: (store: OpenStore, queue: BullQueue) => ({
            mongodb: () => store.check(),
            redis: () => queue.check(),
          }),
          notes: (store: OpenStore) => notes(store),
        }),
      ],
      providers: [
        { provide: openedStore, useFactory: () => reachStore(settings, answerSeconds) },
        { provide: openedQueue, useFactory: () => reachQueue(location) },
        Closing,
      ],
      exports: [openedStore, openedQueue],
    };
  }
}

// Both drivers are loaded when a service connects: whoever only reads settings does not wait for them.
async function reachQueue(location: ReturnType<typeof redisLocation>): Promise<BullQueue> {
  const { openJobQueue } = await import('#queue');
  return openJobQueue({ ...location, ...queueSpans() });
}

/** The store, open if MongoDB is there; otherwise it goes on connecting. */
async function reachStore(settings: ConnectionSettings, answerSeconds: number): Promise<OpenStore> {
  const logger = new Logger('Store');
  const { connectStore } = await import('#store');
  const { store, attempted, opened } = connectStore({
    uri: settings.MONGODB_URI,
    selectionTimeout: settings.MONGODB_SELECTION_SECONDS * 1000,
    answerTimeout: answerSeconds * 1000,
    connections: settings.MONGODB_CONNECTIONS,
    itemBytes: settings.ITEM_STORED_BYTES,
  });
  try {
    await attempted;
  } catch (error) {
    logger.warn(`${(error as Error).message}; waiting for it`);
    void opened.then(() => logger.log('MongoDB is there'));
  }
  const fetches = new Logger('Fetch');
  return loggedFetches(tracedStore(measuredStore(store)), (message, fields) => fetches.log(message, fields));
}
