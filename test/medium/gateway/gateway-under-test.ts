import type { INestApplication } from '@nestjs/common';
import { openedStore, startService, systemClock } from '#service';
import { freePort } from '#databases';
import { collectionKey } from '#core';
import type { OpenStore } from '#store';
import { gateway } from '../../../apps/gateway/src/gateway.ts';
import { publishCollection } from '../../../apps/publisher/src/publish-collection.ts';
import { checkResponses } from '../../support/checked-responses.ts';
import { mongodbOperations } from '../../support/mongodb-operations.ts';
import type { MongodbOperation } from '../../support/mongodb-operations.ts';
import { leaveMongodbDatabase, ownMongodbDatabase } from '../../support/mongodb-database.ts';
import { patientWithMongodb } from '../../support/patient-with-mongodb.ts';
import { emptyRedis, ownRedisDatabase } from '../../support/redis-database.ts';

export interface GatewayUnderTest {
  readonly application: INestApplication;
  readonly store: OpenStore;
  readonly url: string;
  readonly redisUrl: string;
  readonly mongodbUri: string;
  /** The operations on its MongoDB database while something is done. */
  operations(work: () => Promise<unknown>): Promise<MongodbOperation[]>;
  /** Starts another gateway on the same databases; the caller closes it before this one. */
  startAnother(): Promise<{ readonly url: string; close(): Promise<void> }>;
  /** Makes an empty collection one that was created then: nothing is published at an earlier time. */
  makeOlder(collection: string, createdAt: Date): Promise<void>;
  /** Keeps what is written to a collection from being published until `publish` is called. */
  holdBack(collection: string): Promise<void>;
  /** Does what the publisher would, at a time and with so many changes kept in the log. */
  publish(collection: string, settings?: { readonly retention?: number; readonly at?: Date }): Promise<void>;
  /** Sends a request; `body` as JSON unless it is a text. */
  send(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Response>;
  close(): Promise<void>;
}

/** Starts the real gateway on a free port, with a MongoDB database and a Redis database of its own. */
export async function startGateway(environment: Record<string, string> = {}): Promise<GatewayUnderTest> {
  const mongodbUri = await ownMongodbDatabase(environment['MONGODB_URI']);
  const redisUrl = await ownRedisDatabase();
  const PORT = String(await freePort());
  const url = `http://127.0.0.1:${PORT}`;
  const settings = {
    REDIS_URL: redisUrl,
    FEEDMESH_ENDPOINT: 'test',
    LOG_LEVEL: 'fatal',
    ...patientWithMongodb,
    ...environment,
    MONGODB_URI: mongodbUri,
  };
  const application = await startService(gateway, { PORT, ...settings });
  checkResponses(url);
  const store = application.get<OpenStore>(openedStore);
  const stream = { append: async () => {} };
  return {
    application,
    store,
    url,
    redisUrl,
    mongodbUri,
    operations: (work) => mongodbOperations(mongodbUri, new URL(mongodbUri).pathname.slice(1), work),
    async startAnother() {
      const port = String(await freePort());
      const another = await startService(gateway, { ...settings, PORT: port, PUBLIC_URL: url });
      return { url: `http://127.0.0.1:${port}`, close: () => another.close() };
    },
    async makeOlder(collection, createdAt) {
      const key = collectionKey(collection);
      const found = await store.collections.find(key);
      if (found === undefined) throw new Error(`there is no collection ${collection}`);
      await store.collections.remove(key);
      await store.collections.create({ ...found, createdAt });
    },
    async holdBack(collection) {
      const found = await store.collections.find(collectionKey(collection));
      if (found === undefined) throw new Error(`there is no collection ${collection}`);
      const settings = { ...found.settings, includeItem: true };
      await store.collections.update(found.key, { title: found.title, settings });
    },
    publish: (collection, { retention = 100_000, at } = {}) =>
      publishCollection(
        {
          store,
          stream,
          clock: at ? { ...systemClock, now: () => at } : systemClock,
          publicUrl: url,
        },
        { block: 500, retention },
        { version: 1, collection: collectionKey(collection) },
      ),
    send: (method, path, body, headers = {}) =>
      fetch(new URL(path, url), {
        method,
        headers: {
          ...(body !== undefined && typeof body !== 'string' && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      }),
    async close() {
      await application.close();
      await emptyRedis(redisUrl);
      await leaveMongodbDatabase(mongodbUri);
    },
  };
}

export interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly instance: string;
  readonly errors?: readonly { readonly path: string; readonly message: string }[];
  readonly violations?: readonly { readonly rule: string; readonly line: number }[];
  readonly [member: string]: unknown;
}

/** The problem that a response must be; `rule` is the last part of its type. */
export async function problemIn(response: Response): Promise<Problem & { rule: string }> {
  if (!/^application\/problem\+json\b/.test(response.headers.get('content-type') ?? ''))
    throw new Error(`not a problem: ${response.status} ${await response.text()}`);
  const problem = (await response.json()) as Problem;
  if (problem.status !== response.status)
    throw new Error(`the problem says ${problem.status}, the response ${response.status}`);
  return { ...problem, rule: problem.type.replace('urn:feedmesh:problem:', '') };
}
