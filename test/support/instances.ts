import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { resolve } from 'node:path';
import mongoose from 'mongoose';
import { freePort, openThrowaway, readLimits } from '#databases';
import type { ProcessRegister } from '#databases';
import { startInstance } from '../../apps/standalone/src/instance.ts';
import type { Instance } from '../../apps/standalone/src/instance.ts';
import { builtServices } from './built-services.ts';
import { checkResponses } from './checked-responses.ts';
import { loopbackFeeds } from './loopback-feeds.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Installations of the four services for one test file, each with a MongoDB database of its own. */
export class Instances {
  readonly limits = readLimits(process.env);
  readonly #run = `instances-${randomBytes(4).toString('hex')}`;
  readonly #ends: (() => Promise<void>)[] = [];
  #register: ProcessRegister | undefined;

  async open(): Promise<void> {
    const folder = resolve(process.env['FEEDMESH_DATA'] || '.feedmesh');
    this.#register = await openThrowaway(folder, () => undefined, this.limits.stop);
  }

  get register(): ProcessRegister {
    if (this.#register === undefined) throw new Error('the instances are not open');
    return this.#register;
  }

  /** The address of a database that only the instance with this name uses. */
  mongodbUri(name: string): string {
    const uri = new URL(process.env['MONGODB_URI'] ?? '');
    uri.pathname = `/${this.#run}-${name}`;
    return uri.href;
  }

  /** @returns the instance, and what its services were given */
  async start(
    name: string,
    redisUrl: string,
    settings: Readonly<Record<string, string>> = {},
  ): Promise<{ readonly instance: Instance; readonly environment: Environment }> {
    const uri = this.mongodbUri(name);
    const environment = {
      ...process.env,
      PORT: String(await freePort()),
      REDIS_URL: redisUrl,
      MONGODB_URI: uri,
      ...loopbackFeeds,
      ...settings,
    };
    const instance = await startInstance({
      name: `${this.#run}-${name}`,
      environment,
      register: this.register,
      limits: this.limits,
      log: () => undefined,
      signal: new AbortController().signal,
      services: builtServices,
    });
    checkResponses(instance.url);
    this.atEnd(async () => {
      await instance.stop();
      const connection = await mongoose.createConnection(uri).asPromise();
      await connection.dropDatabase();
      await connection.close();
    });
    return { instance, environment };
  }

  /** Something to be done at the end, before what was requested earlier. */
  atEnd(work: () => Promise<void>): void {
    this.#ends.push(work);
  }

  async end(): Promise<void> {
    for (const end of this.#ends.toReversed()) await end();
    rmSync(this.register.folder, { recursive: true, force: true });
  }
}
