import { Global, Inject, Injectable, Logger, Module } from '@nestjs/common';
import type { DynamicModule, InjectionToken, OnApplicationShutdown } from '@nestjs/common';
import { HealthModule } from './health/health.module.ts';
import type { HealthCheck } from './health/health-checks.ts';
import type { HealthNote } from './health/health-notes.ts';
import { mongodbLocation } from './settings/mongodb-settings.ts';
import type { MongodbConfiguration } from './settings/mongodb-settings.ts';
import { redisLocation } from './settings/redis-settings.ts';
import type { RedisConfiguration } from './settings/redis-settings.ts';
import { settingFault } from './settings/tls-files.ts';
import type { ComposeBlock } from '#core';
import type { BullQueue } from '#queue';
import type { ConnectingStore, OpenStore } from '#store';
import { loggedFetches } from './telemetry/logged-fetches.ts';
import { measuredStore } from './telemetry/measured-store.ts';
import { queueSpans } from './telemetry/queue-spans.ts';
import { tracedStore } from './telemetry/traced-store.ts';
import { flushTraces } from './telemetry/tracing.ts';

/** Under which Nest gives out the open `Store`. */
export const openedStore = Symbol('OpenStore');

/** Under which Nest gives out the open `JobQueue`. */
export const openedQueue = Symbol('OpenQueue');

/** Under which Nest gives out the `ConnectingStore`. */
const connectingStore = Symbol('ConnectingStore');

/** The settings of a service that say where its databases are. */
interface ConnectionSettings extends RedisConfiguration, MongodbConfiguration {
  readonly ITEM_STORED_BYTES: number;
  /** Of a service that writes the event streams: how many there are. */
  readonly STREAM_PARTITIONS?: number;
}

/** Checks of a service's own, and what Nest injects into them. */
export interface FurtherChecks {
  readonly imports: DynamicModule['imports'];
  readonly inject: InjectionToken[];
  checks(...dependencies: never[]): Readonly<Record<string, HealthCheck>>;
}

/** What the health page of a service says beside the checks of MongoDB and Redis. */
interface FurtherHealth {
  /** Composes the blocks with which items are published as they are written; absent: they wait. */
  readonly compose?: ComposeBlock;
  readonly notes?: (store: OpenStore) => Readonly<Record<string, HealthNote>>;
  readonly checks?: FurtherChecks;
  /** Of a service that works in part without Redis: what does not work then. */
  readonly withoutRedis?: string;
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
   * Throws `ConfigurationError` if the settings of Redis or of MongoDB contradict each other.
   * @param answerSeconds how long MongoDB may take to answer an operation
   * @param health what the health page says besides
   */
  static register(
    settings: ConnectionSettings,
    answerSeconds: number,
    health: FurtherHealth = {},
  ): DynamicModule {
    const { STREAM_PARTITIONS: partitions = 0 } = settings;
    const location = { ...redisLocation(settings), partitions };
    const mongodb = mongodbLocation(settings);
    const { notes = () => ({}), checks: further, withoutRedis, compose } = health;
    return {
      module: ConnectionsModule,
      imports: [
        HealthModule.register({
          imports: further?.imports,
          inject: [openedStore, openedQueue, ...(further?.inject ?? [])],
          checks: (store: OpenStore, queue: BullQueue, ...rest: never[]) => ({
            mongodb: () => store.check(),
            redis: () => queue.check(),
            ...further?.checks(...rest),
          }),
          ...(withoutRedis !== undefined && { losses: { redis: withoutRedis } }),
          notes: (store: OpenStore) => notes(store),
        }),
      ],
      providers: [
        { provide: connectingStore, useFactory: () => connect(mongodb, settings, answerSeconds, compose) },
        { provide: openedStore, inject: [connectingStore], useFactory: reachStore },
        // After the store has been given an address that it can use: nothing would close the queue otherwise.
        { provide: openedQueue, inject: [connectingStore], useFactory: () => reachQueue(location) },
        Closing,
      ],
      exports: [openedStore, openedQueue],
    };
  }
}

// Both drivers are loaded when a service connects: whoever only reads settings does not wait for them.
async function reachQueue(
  location: ReturnType<typeof redisLocation> & { readonly partitions: number },
): Promise<BullQueue> {
  const { openJobQueue } = await import('#queue');
  return openJobQueue({ ...location, ...queueSpans() });
}

/**
 * Begins to connect to MongoDB. Throws `ConfigurationError` for an address that can never be used.
 */
async function connect(
  location: ReturnType<typeof mongodbLocation>,
  settings: ConnectionSettings,
  answerSeconds: number,
  compose: ComposeBlock | undefined,
): Promise<ConnectingStore> {
  const { connectStore, StoreAddressError } = await import('#store');
  try {
    return connectStore({
      ...location,
      selectionTimeout: settings.MONGODB_SELECTION_SECONDS * 1000,
      answerTimeout: answerSeconds * 1000,
      connections: settings.MONGODB_CONNECTIONS,
      itemBytes: settings.ITEM_STORED_BYTES,
      ...(compose && { compose }),
    });
  } catch (error) {
    if (!(error instanceof StoreAddressError)) throw error;
    throw settingFault('MONGODB_URI', error.message);
  }
}

/** The store, open if MongoDB is there; otherwise it goes on connecting. */
async function reachStore({ store, attempted, opened }: ConnectingStore): Promise<OpenStore> {
  const logger = new Logger('Store');
  try {
    await attempted;
  } catch (error) {
    logger.warn(`${(error as Error).message}; waiting for it`);
    void opened.then(() => logger.log('MongoDB is there'));
  }
  const fetches = new Logger('Fetch');
  return loggedFetches(tracedStore(measuredStore(store)), (message, fields) => fetches.log(message, fields));
}
