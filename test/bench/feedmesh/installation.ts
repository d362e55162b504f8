import { rmSync } from 'node:fs';
import { resolve } from 'node:path';
import mongoose from 'mongoose';
import type { Connection } from 'mongoose';
import { freePort, openThrowaway, readLimits } from '#databases';
import { startInstance } from '../../../apps/standalone/src/instance.ts';
import type { Instance } from '../../../apps/standalone/src/instance.ts';
import { services as builtServices } from '../../../apps/standalone/src/service.ts';
import type { Service } from '../../../apps/standalone/src/service.ts';
import { peakMegabytes, processorTimes, processorTimeSince } from '../processor-time.ts';
import type { Sample } from '../row.ts';
import { databasePids } from './database-pids.ts';
import { until } from './until.ts';
import { loopbackFeeds } from '../../support/loopback-feeds.ts';

export interface InstallationSettings {
  readonly redisUrl: string;
  readonly mongodbUri: string;
  /** The name of its database, which is removed at the end. */
  readonly database: string;
  /** The built services, if they are not beside this file. */
  readonly services?: readonly Service[];
  /** How many gateways it has (1). */
  readonly gateways?: number;
  /** Settings of the services besides those of a benchmark. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** The four services as processes, on a database of their own. */
export class Installation {
  /** Where each gateway is. */
  readonly urls: readonly string[];
  /** The Redis database that the services use. */
  readonly redisUrl: string;
  /** A connection to the database that the services use. */
  readonly connection: Connection;
  /** The pids of services and databases, by name. */
  readonly processes: Readonly<Record<string, number>>;
  readonly #instances: readonly Instance[];
  readonly #folder: string;
  #stopping: Promise<void> | undefined;

  private constructor(
    instances: readonly Instance[],
    redisUrl: string,
    connection: Connection,
    databases: Readonly<Record<string, number>>,
    folder: string,
  ) {
    this.urls = instances.map(({ url }) => url);
    this.redisUrl = redisUrl;
    this.connection = connection;
    this.processes = { ...processesOf(instances), ...databases };
    this.#instances = instances;
    this.#folder = folder;
  }

  static async start({
    redisUrl,
    mongodbUri,
    database,
    services = builtServices,
    gateways = 1,
    environment,
  }: InstallationSettings): Promise<Installation> {
    const log = (): void => undefined;
    const limits = readLimits(process.env);
    // A folder of its own: a process may have several installations.
    const data = resolve(process.env['FEEDMESH_DATA'] || '.feedmesh', database);
    const register = await openThrowaway(data, log, limits.stop);
    const start = async (started: readonly Service[], place: number): Promise<Instance> =>
      startInstance({
        name: place === 0 ? database : `${database}-${place + 1}`,
        environment: {
          ...process.env,
          PORT: String(await freePort()),
          REDIS_URL: redisUrl,
          MONGODB_URI: withDatabase(mongodbUri, database),
          ...loopbackFeeds,
          ...environment,
        },
        register,
        limits,
        log,
        signal: new AbortController().signal,
        services: started,
      });
    const gateway = services.filter(({ portVariable }) => portVariable === 'PORT');
    const further = Array.from({ length: gateways - 1 }, () => gateway);
    const instances = await Promise.all([services, ...further].map(start));
    const connection = await mongoose.createConnection(mongodbUri, { dbName: database }).asPromise();
    const databases = await databasePids(connection, redisUrl);
    return new Installation(instances, redisUrl, connection, databases, data);
  }

  /** Where the first gateway is. */
  get url(): string {
    return this.urls[0] ?? '';
  }

  /**
   * Measures what `work` takes, in time and in processor time of all processes.
   * @param operations how many operations it is made of
   */
  async measure(operations: number, work: () => Promise<void | readonly number[]>): Promise<Sample> {
    const before = processorTimes(this.processes);
    const startedAt = performance.now();
    const latencies = await work();
    const seconds = (performance.now() - startedAt) / 1000;
    const processorTime = processorTimeSince(before, this.processes);
    return { operations, seconds, processorTime, ...(latencies && { latencies }) };
  }

  /** The highest resident set of each service so far, in MB, by name. */
  peakMemory(): Record<string, number> {
    return Object.fromEntries(
      Object.entries(this.processes).map(([name, pid]) => [name, peakMegabytes(pid)]),
    );
  }

  /** Sends JSON to the gateway; throws if the response is not 2xx. */
  async send(method: string, path: string, body?: object): Promise<void> {
    const response = await fetch(`${this.url}/v1/${path}`, {
      method,
      ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  }

  /**
   * Waits until the events of a collection up to a sequence are on the stream, while they keep coming.
   * @param before what is known to be there
   */
  async relayed(collection: string, sequence: number, before = -1): Promise<void> {
    let reached = before;
    await until(`${collection} is relayed beyond ${before} of ${sequence}`, async () => {
      const document = await this.connection
        .collection<{ _id: string; publication?: { relayed: number } }>('collections')
        .findOne({ _id: collection }, { projection: { 'publication.relayed': 1 } });
      reached = document?.publication?.relayed ?? before;
      return reached > before;
    });
    if (reached < sequence) await this.relayed(collection, sequence, reached);
  }

  /** Stops the services and removes their database; a second call waits for the first. */
  stop(): Promise<void> {
    return (this.#stopping ??= this.#stop());
  }

  async #stop(): Promise<void> {
    await Promise.all(this.#instances.map((instance) => instance.stop()));
    await this.connection.dropDatabase();
    await this.connection.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

function withDatabase(uri: string, name: string): string {
  const url = new URL(uri);
  url.pathname = `/${name}`;
  return url.href;
}

/** The pids of all services by name; those of further gateways are `gateway-2`, `gateway-3`, … */
function processesOf(instances: readonly Instance[]): Record<string, number> {
  return Object.fromEntries(
    instances.flatMap(({ processes }, place) =>
      Object.entries(processes).map(([name, pid]) => [place === 0 ? name : `${name}-${place + 1}`, pid]),
    ),
  );
}
