import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { freePort } from '#databases';
import { builtServices } from './built-services.ts';
import { checkResponses } from './checked-responses.ts';
import { until } from './until.ts';

/** One built service as a process of its own, without a launcher that starts it again. */
export class ServiceProcess {
  readonly url: string;
  /** What it has logged so far. */
  output = '';
  /** Resolves with the exit code, or the name of the signal that ended it. */
  readonly ended: Promise<number | NodeJS.Signals | null>;
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess, url: string) {
    this.#child = child;
    this.url = url;
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (piece: Buffer) => {
        this.output += piece.toString();
      });
    }
    this.ended = new Promise((resolve) => child.once('close', (code, signal) => resolve(code ?? signal)));
  }

  /** Starts it, and waits until it lives. */
  static async start(name: string, environment: Readonly<Record<string, string>>): Promise<ServiceProcess> {
    const service = builtServices.find((built) => built.name === name);
    if (!service) throw new Error(`there is no service ${name}`);
    const [program, ...args] = service.command;
    const port = String(await freePort());
    const env = { ...process.env, NODE_OPTIONS: '', [service.portVariable]: port, ...environment };
    const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
    const started = new ServiceProcess(child, `http://127.0.0.1:${port}`);
    if (name === 'gateway') checkResponses(started.url);
    await until(async () => started.hasEnded || (await started.status('/health/live')) === 200);
    if (started.hasEnded) throw new Error(`${name} has ended: ${started.output}`);
    return started;
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  get hasEnded(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  signal(name: NodeJS.Signals): void {
    this.#child.kill(name);
  }

  /** The status of a page; undefined if nobody listens. */
  async status(path: string): Promise<number | undefined> {
    try {
      const response = await fetch(`${this.url}${path}`);
      await response.body?.cancel();
      return response.status;
    } catch {
      return undefined;
    }
  }

  /** Waits until it is ready: on a busy machine its checks may have no answer in time at first. */
  async ready(): Promise<void> {
    await until(async () => (await this.status('/health/ready')) === 200);
  }

  /** Ends it at once, if it has not ended. */
  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.ended;
  }
}
