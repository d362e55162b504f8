import { randomBytes } from 'node:crypto';
import mongoose from 'mongoose';
import { emptyRedis, ownRedisDatabase } from '../support/redis-database.ts';
import { ServiceProcess } from '../support/service-process.ts';

/** Four gateways as processes, on databases of their own. Requests need keys. */
export class FourGateways {
  readonly processes: readonly ServiceProcess[];
  readonly #administrator: string;
  readonly #databases: { readonly redisUrl: string; readonly mongodbUri: string };

  private constructor(
    processes: readonly ServiceProcess[],
    administrator: string,
    databases: { readonly redisUrl: string; readonly mongodbUri: string },
  ) {
    this.processes = processes;
    this.#administrator = administrator;
    this.#databases = databases;
  }

  /** @param settings besides those of where it is */
  static async start(settings: Readonly<Record<string, string>>): Promise<FourGateways> {
    const mongodb = new URL(process.env['MONGODB_URI'] ?? '');
    mongodb.pathname = `/four-gateways-${randomBytes(4).toString('hex')}`;
    const databases = { redisUrl: await ownRedisDatabase(), mongodbUri: mongodb.href };
    const administrator = randomBytes(24).toString('base64url');
    const environment = {
      AUTH: 'required',
      AUTH_SECRETS: randomBytes(32).toString('base64'),
      AUTH_ADMIN_KEY: administrator,
      MONGODB_URI: databases.mongodbUri,
      REDIS_URL: databases.redisUrl,
      FEEDMESH_ENDPOINT: 'test',
      LOG_LEVEL: 'fatal',
      ...settings,
    };
    const starts = [1, 2, 3, 4].map(() => ServiceProcess.start('gateway', environment));
    return new FourGateways(await Promise.all(starts), administrator, databases);
  }

  get urls(): readonly string[] {
    return this.processes.map(({ url }) => url);
  }

  /** Sends a request to the first one, as who administers all. Throws unless that succeeds. */
  async send(method: string, path: string, body?: unknown): Promise<Response> {
    const response = await fetch(`${this.urls[0]}${path}`, {
      method,
      headers: { authorization: `Bearer ${this.#administrator}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return response;
  }

  async close(): Promise<void> {
    await Promise.all(this.processes.map((gateway) => gateway.kill()));
    await emptyRedis(this.#databases.redisUrl);
    const connection = await mongoose.createConnection(this.#databases.mongodbUri).asPromise();
    await connection.dropDatabase();
    await connection.close();
  }
}
