import { rm } from 'node:fs/promises';
import mongoose from 'mongoose';
import { freePort } from '#databases';
import { mongodb } from '../../tools/databases/providers/server.ts';
import { bringUpReplicaSet, mongodbAddress, mongodbCommand } from '../../tools/databases/mongodb.ts';
import { realProgram } from '../launcher/programs.ts';
import { ServerProcess } from './server-process.ts';
import { until } from './until.ts';
import { dataFolder } from './data-folder.ts';

/** A MongoDB of the test's own, on loopback, the one member of its replica set, that things can happen to. */
export class PrivateMongodb extends ServerProcess {
  readonly uri: string;
  readonly #port: number;
  readonly #folder: string;

  private constructor(port: number, folder: string) {
    super();
    this.uri = mongodbAddress(port);
    this.#port = port;
    this.#folder = folder;
  }

  /** One that does not run yet. */
  static async prepare(): Promise<PrivateMongodb> {
    return new PrivateMongodb(await freePort(), await dataFolder('private-mongodb-'));
  }

  static async start(): Promise<PrivateMongodb> {
    const server = await PrivateMongodb.prepare();
    await server.restart();
    return server;
  }

  get port(): number {
    return this.#port;
  }

  /** Starts it with the data that it has, and waits until it takes writes. */
  async restart(): Promise<void> {
    const [program, ...args] = mongodbCommand(await realProgram(mongodb), this.#port, this.#folder);
    await this.run(program, args);
    await until(() => bringUpReplicaSet(this.#port).catch(() => false));
  }

  /** Makes it a secondary for so many seconds; without another member it is then the primary again. */
  async stepDown(seconds: number): Promise<void> {
    await this.command({ replSetStepDown: seconds, force: true });
  }

  /** Runs a command on its database `admin`. */
  async command(command: Record<string, unknown>): Promise<void> {
    const client = new mongoose.mongo.MongoClient(this.uri);
    try {
      await client.db('admin').command(command);
    } finally {
      await client.close();
    }
  }

  async end(): Promise<void> {
    await this.kill();
    await rm(this.#folder, { recursive: true, force: true });
  }
}
