import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import mongoose from 'mongoose';
import { freePort } from '#databases';
import { mongodb } from '../../tools/databases/providers/server.ts';
import { realProgram } from '../launcher/programs.ts';
import { freezeProcess } from './freeze-process.ts';
import { until } from './until.ts';

type Command = Readonly<Record<string, unknown>>;

/** One mongod of the test's own, on loopback, with its data in a folder of its own. */
export class Mongod {
  readonly port: number;
  readonly #folder: string;
  readonly #options: readonly string[];
  #child: ChildProcess | undefined;

  private constructor(port: number, folder: string, options: readonly string[]) {
    this.port = port;
    this.#folder = folder;
    this.#options = options;
  }

  /** Starts one with these options, and waits until it responds. */
  static async start(options: readonly string[]): Promise<Mongod> {
    const folder = await mkdtemp(join(tmpdir(), 'mongod-'));
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
    this.#child = spawn(await realProgram(mongodb), [...place, ...small, ...this.#options], {
      stdio: 'ignore',
    });
    await once(this.#child, 'spawn');
    await until(async () =>
      this.command({ ping: 1 }).then(
        () => true,
        () => false,
      ),
    );
  }

  /** Runs a command on its database `admin`, with the credentials and options in `query` if given. */
  async command(command: Command, credentials = '', query = ''): Promise<mongoose.mongo.Document> {
    const uri = `mongodb://${credentials}${this.host}/admin?directConnection=true${query}`;
    const client = new mongoose.mongo.MongoClient(uri, { serverSelectionTimeoutMS: 2000 });
    try {
      return await client.db('admin').command(command);
    } finally {
      await client.close();
    }
  }

  /** As a crash: SIGKILL. */
  async kill(signal: 'SIGKILL' | 'SIGTERM' = 'SIGKILL'): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (!child) return;
    const exited = once(child, 'exit');
    child.kill(signal);
    await exited;
  }

  /** Its connections stay open, and nothing responds any more once this resolves. */
  async freeze(): Promise<void> {
    if (this.#child) await freezeProcess(this.#child);
  }

  thaw(): void {
    this.#child?.kill('SIGCONT');
  }

  async end(): Promise<void> {
    await this.kill();
    await rm(this.#folder, { recursive: true, force: true });
  }
}
