import type { INestApplication } from '@nestjs/common';
import { Redis } from 'ioredis';
import type { Cluster } from 'ioredis';
import type mongoose from 'mongoose';
import { z } from 'zod';
import { payloadFromFields } from '#xml';
import { editItem } from '#items';
import type { ChangeEvent } from '#contracts';
import { collectionKey, itemId, subscriptionId } from '#core';
import type { CollectionKey, Subscription } from '#core';
import { openJobQueue } from '#queue';
import type { BullQueue } from '#queue';
import {
  mongodbLocation,
  mongodbSettings,
  readConfiguration,
  redisLocation,
  redisSettings,
  startService,
} from '#service';
import { openStore } from '#store';
import type { OpenStore } from '#store';
import { sampleCollection, sampleSubscription } from '#in-memory';
import { fetcher } from '../../../apps/fetcher/src/fetcher.ts';
import { gateway } from '../../../apps/gateway/src/gateway.ts';
import { merger } from '../../../apps/merger/src/merger.ts';
import { publisher } from '../../../apps/publisher/src/publisher.ts';
import { mongodbOperations } from '../../support/mongodb-operations.ts';
import type { MongodbOperation } from '../../support/mongodb-operations.ts';
import {
  leaveMongodbDatabase,
  onMongodbDatabase,
  ownMongodbDatabase,
} from '../../support/mongodb-database.ts';
import { patientWithMongodb } from '../../support/patient-with-mongodb.ts';
import { ownRedisDatabase } from '../../support/redis-database.ts';
import { openFeedServer } from './feed-server.ts';
import type { FeedServer } from './feed-server.ts';
import { until } from '../../support/until.ts';
import { loopbackFeeds } from '../../support/loopback-feeds.ts';

const peerId = subscriptionId('peer');

export type ServiceName = 'fetcher' | 'merger' | 'publisher' | 'gateway';

function locationIn(environment: Readonly<Record<string, string>>): ReturnType<typeof mongodbLocation> {
  return mongodbLocation(readConfiguration(z.object(mongodbSettings), environment));
}

/** The services in this process, each with its real transport. */
const starters: Record<ServiceName, (environment: Record<string, string>) => Promise<INestApplication>> = {
  fetcher: (environment) => startService(fetcher, environment),
  merger: (environment) => startService(merger, environment),
  publisher: (environment) => startService(publisher, environment),
  gateway: (environment) => startService(gateway, { PORT: '0', ...environment }),
};

/**
 * The pipeline with a MongoDB database and a Redis database of its own, and a publisher of feeds to read
 * from.
 */
export class PipelineUnderTest {
  redisUrl!: string;
  store!: OpenStore;
  queue!: BullQueue;
  redis!: Redis | Cluster;
  feeds!: FeedServer;
  environment!: Readonly<Record<string, string>>;
  readonly #running = new Map<INestApplication, ServiceName>();
  readonly #lastFetched = new Map<string, number>();

  /** Makes one, and opens it. */
  static async open(
    settings: Record<string, string> = {},
    redis?: Redis | Cluster,
  ): Promise<PipelineUnderTest> {
    const pipeline = new PipelineUnderTest();
    await pipeline.open(settings, redis);
    return pipeline;
  }

  /**
   * Opens all but the services.
   * @param redis a connection to the Redis of the settings, if they name one; closed along with the rest
   */
  async open(settings: Record<string, string>, redis?: Redis | Cluster): Promise<void> {
    this.redisUrl = settings['REDIS_URL'] ?? (await ownRedisDatabase());
    const environment = {
      REDIS_URL: this.redisUrl,
      MONGODB_URI: settings['MONGODB_URI'] ?? (await ownMongodbDatabase()),
      PUBLIC_URL: 'http://here.example',
      HEALTH_PORT: '0',
      ...loopbackFeeds,
      LOG_LEVEL: 'silent',
      FETCH_SCHEDULE_MS: '50',
      FETCH_RECONCILE_MS: '100',
      PUBLISH_RECONCILE_MS: '100',
      PUBLISH_RELAY_MS: '100',
      ...(settings['MONGODB_URI'] === undefined && patientWithMongodb),
      ...settings,
    };
    this.environment = environment;
    this.store = await openStore(locationIn(environment));
    this.queue = openJobQueue(redisLocation(readConfiguration(z.object(redisSettings), environment)));
    this.redis = redis ?? new Redis(this.redisUrl);
    this.feeds = await openFeedServer();
  }

  /** Starts what would be one process for each name, and returns them. */
  async start(...names: readonly ServiceName[]): Promise<INestApplication[]> {
    return this.startWith({}, ...names);
  }

  /** The same, with settings that only these processes have. */
  async startWith(
    settings: Record<string, string>,
    ...names: readonly ServiceName[]
  ): Promise<INestApplication[]> {
    const started: INestApplication[] = [];
    for (const name of names) {
      const application = await starters[name]({ ...this.environment, ...settings });
      this.#running.set(application, name);
      started.push(application);
    }
    return started;
  }

  /** The rows of its MongoDB database, by collection. */
  async rows(): Promise<Map<string, mongoose.mongo.Document[]>> {
    return this.#withDatabase(async (database) => {
      const names = (await database.listCollections().toArray()).map(({ name }) => name);
      return new Map(
        await Promise.all(
          names.map(async (name) => [name, await database.collection(name).find().toArray()] as const),
        ),
      );
    });
  }

  /** What is requested of its MongoDB database while something is done. */
  async operations(work: () => Promise<unknown>): Promise<MongodbOperation[]> {
    const uri = this.environment['MONGODB_URI'] ?? '';
    return mongodbOperations(uri, new URL(uri).pathname.slice(1), work);
  }

  /** Makes its MongoDB database one with these rows and no others. */
  async restore(rows: ReadonlyMap<string, readonly mongoose.mongo.Document[]>): Promise<void> {
    await this.#withDatabase(async (database) => {
      for (const { name } of await database.listCollections().toArray())
        await database.collection(name).deleteMany({});
      for (const [name, documents] of rows)
        if (documents.length > 0) await database.collection(name).insertMany([...documents]);
    });
  }

  /** Puts a row of its MongoDB database in the place of the one with the same key. */
  async replaceRow(collection: string, row: mongoose.mongo.Document): Promise<void> {
    await this.#withDatabase((database) =>
      database.collection(collection).replaceOne({ _id: row['_id'] as never }, row),
    );
  }

  async #withDatabase<Result>(work: (database: mongoose.mongo.Db) => Promise<Result>): Promise<Result> {
    const { uri, tls } = locationIn(this.environment);
    return onMongodbDatabase(uri, work, { ...tls });
  }

  /** Where the health pages of a service are. */
  async healthUrl(name: ServiceName): Promise<string> {
    const running = [...this.#running].find(([, service]) => service === name);
    if (running === undefined) throw new Error(`no ${name} runs`);
    return running[0].getUrl();
  }

  /** Ends every process of a service. */
  async stop(name: ServiceName): Promise<void> {
    for (const [application] of [...this.#running].filter(([, running]) => running === name)) {
      this.#running.delete(application);
      await application.close();
    }
  }

  /** Ends the services, the databases' contents and the publisher of feeds. */
  async close(): Promise<void> {
    await Promise.all([...this.#running.keys()].map((application) => application.close()));
    await this.queue.close();
    await this.redis.flushdb();
    this.redis.disconnect();
    await this.feeds.close();
    await this.store.close();
    const { uri, tls } = locationIn(this.environment);
    await leaveMongodbDatabase(uri, { ...tls });
  }

  /**
   * Creates the collection, if there is none, and a subscription `peer` to `/<collection>` on the
   * publisher of feeds, which is due at once. By default it is due again only after more time than any test
   * takes.
   * @param given what else the subscription has
   */
  async subscribe(
    collection: string,
    interval: Subscription['interval'] = { minimum: 3600, maximum: 86_400 },
    given: Partial<Subscription> = {},
  ): Promise<void> {
    const createdAt = new Date();
    if ((await this.store.collections.find(collectionKey(collection))) === undefined)
      await this.collect(collection);
    await this.store.subscriptions.put(
      sampleSubscription({
        collection: collectionKey(collection),
        id: peerId,
        url: this.feeds.url(`/${collection}`),
        interval,
        createdAt,
        ...given,
      }),
    );
  }

  /** Creates a collection. */
  async collect(name: string, createdAt = new Date()): Promise<void> {
    await this.store.collections.create(
      sampleCollection({
        key: collectionKey(name),
        createdAt,
      }),
    );
  }

  /** The subscription `peer` of a collection. */
  async subscription(collection: string): Promise<Subscription> {
    const found = await this.store.subscriptions.find(collectionKey(collection), peerId);
    if (found === undefined) throw new Error(`${collection} has no subscription`);
    return found;
  }

  /**
   * At the first call for a collection waits until its subscription has been fetched, at every other lets it
   * be fetched once more; returns what it then is.
   */
  async fetch(collection: string): Promise<Subscription> {
    const before = this.#lastFetched.get(collection) ?? 0;
    if (before > 0)
      await this.store.subscriptions.refresh(
        collectionKey(collection),
        peerId,
        { nextFetchAt: new Date(), nextFetchReason: 'a test asks' },
        false,
      );
    const subscription = await until(
      () => this.subscription(collection),
      ({ last, manifest }) => manifest === undefined && (last?.at.getTime() ?? 0) > before,
    );
    this.#lastFetched.set(collection, subscription.last?.at.getTime() ?? 0);
    return subscription;
  }

  /** Waits until all that is written has been published and relayed; returns the log of changes. */
  async published(collection: CollectionKey): Promise<ChangeEvent[]> {
    const { store } = this;
    await until(
      async () => {
        // In this order: what no longer waits is in the log by then.
        const waiting =
          (await store.items.pending(collection, 1)).length +
          (await store.notices.pending(collection, 1)).length;
        return { waiting, publication: (await store.collections.find(collection))?.publication };
      },
      ({ waiting, publication }) =>
        waiting === 0 && publication?.sequence !== 0 && publication?.relayed === publication?.sequence,
    );
    return store.changes.read(collection, 0, 100_000);
  }

  /** The events on the Redis Stream of a collection, in order. */
  async relayed(collection: string): Promise<ChangeEvent[]> {
    const entries = await this.redis.xrange('feedmesh:changes:0', '-', '+');
    return entries
      .map(([, [, event = '']]) => JSON.parse(event) as ChangeEvent)
      .filter(({ id }) => id.startsWith(`${collection}:`));
  }

  /** How many jobs were ever put into a queue. */
  async sent(queue: 'fetch' | 'merge' | 'finalize' | 'publish'): Promise<number> {
    return Number(await this.redis.get(`{feedmesh}:${queue}:id`));
  }

  /** Creates an item here, at a time that is always the same. */
  async create(collection: string, id: string): Promise<void> {
    const found = await this.store.collections.find(collectionKey(collection));
    if (found === undefined) throw new Error(`there is no collection ${collection}`);
    const ports = {
      store: this.store,
      now: () => new Date('2026-01-02T00:00:00Z'),
      publicUrl: 'http://here.example',
    };
    await editItem(ports, found, itemId(id), {
      action: 'create',
      id: itemId(id),
      payload: payloadFromFields('atom', { title: `${id} here` }),
    });
  }

  /** The items of a collection by id: revision, version and how many conflicts. */
  async items(
    collection: string,
  ): Promise<Record<string, { revision: number; updates: number; deleted: boolean; conflicts: number }>> {
    const items = await this.store.items.list(collectionKey(collection), { limit: 10_000 });
    return Object.fromEntries(
      items.map(({ id, revision, version: { updates }, deleted, conflictCount }) => [
        id,
        { revision, updates, deleted, conflicts: conflictCount },
      ]),
    );
  }
}

/** Type and subject of each event. */
export function summary(events: readonly ChangeEvent[]): string[] {
  return events.map(({ type, subject }) => `${type.replace(/^feedmesh\.|\.v1$/g, '')} ${subject}`);
}
