import { rm } from 'node:fs/promises';
import mongoose from 'mongoose';
import { freePort } from '#databases';
import { mongodb } from '../../tools/databases/providers/server.ts';
import { realProgram } from '../launcher/programs.ts';
import { ServerProcess } from './server-process.ts';
import { hangLimit, until } from './until.ts';
import { dataFolder } from './data-folder.ts';

type Command = Readonly<Record<string, unknown>>;

/** Milliseconds that a server which may not respond at all gets for one of several attempts. */
export const attemptLimit = 2000;

/** One mongod of the test's own, on loopback, with its data in a folder of its own. */
export class Mongod extends ServerProcess {
  readonly port: number;
  readonly #folder: string;
  readonly #options: readonly string[];

  private constructor(port: number, folder: string, options: readonly string[]) {
    super();
    this.port = port;
    this.#folder = folder;
    this.#options = options;
  }

  /**
   * Starts one with these options, and waits until it responds.
   * @param prepare gives further options, with files that it writes to the folder of the server
   */
  static async start(
    options: readonly string[],
    prepare: (folder: string) => Promise<readonly string[]> = async () => [],
  ): Promise<Mongod> {
    const folder = await dataFolder('mongod-');
    options = [...options, ...(await prepare(folder))];
    const server = new Mongod(await freePort(), folder, options);
    await server.restart();
    return server;
  }

  get host(): string {
    return `127.0.0.1:${this.port}`;
  }

  /** Starts it with the data that it has, and waits until it responds. */
  async restart(): Promise<void> {
    const place = ['--dbpath', this.#folder, '--bind_ip', '127.0.0.1', '--port', String(this.port)];
    // Several of them share a machine with the tests.
    const small = ['--nounixsocket', '--oplogSize', '64', '--wiredTigerCacheSizeGB', '0.25'];
    const child = await this.run(await realProgram(mongodb), [...place, ...small, ...this.#options]);
    await until(async () => {
      if (child.exitCode !== null) throw new Error(`mongod refuses ${this.#options.join(' ')}`);
      return this.command({ ping: 1 }, { limit: attemptLimit }).then(
        () => true,
        () => false,
      );
    });
  }

  /**
   * Runs a command.
   * @param on the database, by default `admin`
   * @param credentials of a user in `admin`, such as `user:password@`
   * @param limit milliseconds after which it throws if the server can't be reached
   */
  async command(
    command: Command,
    {
      on = 'admin',
      credentials = '',
      limit = hangLimit,
    }: { readonly on?: string; readonly credentials?: string; readonly limit?: number } = {},
  ): Promise<mongoose.mongo.Document> {
    const uri = `mongodb://${credentials}${this.host}/admin?directConnection=true`;
    const client = new mongoose.mongo.MongoClient(uri, { serverSelectionTimeoutMS: limit });
    try {
      return await client.db(on).command(command);
    } finally {
      await client.close();
    }
  }

  async end(): Promise<void> {
    await this.kill();
    await rm(this.#folder, { recursive: true, force: true });
  }
}
