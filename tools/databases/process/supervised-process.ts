import { spawn, type ChildProcess } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import type { Limits } from '../limits.ts';
import type { Log } from '../log.ts';
import { killGroup } from './kill-group.ts';
import type { ProcessRegister } from './process-register.ts';

interface ProcessSettings {
  /** The name in the log and in the register. */
  readonly name: string;
  readonly command: readonly [program: string, ...args: string[]];
  readonly environment: NodeJS.ProcessEnv;
  /** Where stdout and stderr go: to ours, nowhere, or to an open file. */
  readonly output: 'inherit' | 'ignore' | number;
  /** Asked ten times a second; an error means not yet. */
  readonly isReady: () => Promise<boolean>;
  readonly limits: Limits;
  readonly register: ProcessRegister;
  readonly log: Log;
}

/** A process that did not become ready; the message names it and says why. */
export class NotReadyError extends Error {
  override readonly name = 'NotReadyError';
}

const firstPause = 500;
const longestPause = 30_000;
/** A process that ran for this long starts again with the shortest pause. */
const steadyAfter = 60_000;
/** How often a process may die before it was ever ready. */
const deathsAllowed = 3;

/**
 * A process that is started again whenever it dies, with a pause that doubles from half a second to half a
 * minute. It runs in a process group of its own, so that Ctrl-C in the terminal reaches the launcher alone,
 * which stops things in order.
 */
export class SupervisedProcess {
  readonly #settings: ProcessSettings;
  #child: ChildProcess | undefined;
  #ended: Promise<void> = Promise.resolve();
  #restart: NodeJS.Timeout | undefined;
  #pause = firstPause;
  #deaths = 0;
  #lastDeath = '';
  readonly #stopping = new AbortController();

  private constructor(settings: ProcessSettings) {
    this.#settings = settings;
  }

  /**
   * Starts the process and waits until it is ready. Throws `NotReadyError` after stopping it; an abort throws
   * likewise.
   */
  static async start(settings: ProcessSettings, signal: AbortSignal): Promise<SupervisedProcess> {
    const supervised = new SupervisedProcess(settings);
    supervised.#launch();
    try {
      await supervised.#ready(signal);
      return supervised;
    } catch (error) {
      await supervised.stop();
      throw error;
    }
  }

  /** Undefined while it is down. */
  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** SIGTERM, then SIGKILL to its whole group after the limit; resolves when it has ended. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    clearTimeout(this.#restart);
    const { pid } = this;
    if (pid === undefined) return;
    this.#child?.kill('SIGTERM');
    const { limits, log, name } = this.#settings;
    const killTimer = setTimeout(() => {
      log(
        `${name} (pid ${pid}) has not ended within ${limits.stop / 1000} s (FEEDMESH_STOP_SECONDS); ` +
          'killing it',
      );
      killGroup(pid);
    }, limits.stop);
    await this.#ended;
    clearTimeout(killTimer);
    killGroup(pid);
  }

  #launch(): void {
    const { command, environment, name, output, register } = this.#settings;
    const [program, ...args] = command;
    const child = spawn(program, args, {
      detached: true,
      env: environment,
      stdio: ['ignore', output, output],
    });
    const { pid } = child;
    this.#child = child;
    if (pid !== undefined) register.add(name, pid);
    const startedAt = Date.now();
    this.#ended = new Promise((resolve) => {
      const onEnd = (reason: string): void => {
        this.#child = undefined;
        if (pid !== undefined) register.remove(pid);
        if (!this.#stopping.signal.aborted) this.#launchLater(pid, reason, Date.now() - startedAt);
        resolve();
      };
      child.once('error', (error) => pid === undefined && onEnd(error.message));
      child.once('exit', (code, signal) => onEnd(signal ? `killed by ${signal}` : `exit code ${code}`));
    });
  }

  #launchLater(pid: number | undefined, reason: string, ranFor: number): void {
    const { log, name } = this.#settings;
    if (ranFor > steadyAfter) this.#pause = firstPause;
    const pause = this.#pause;
    this.#pause = Math.min(pause * 2, longestPause);
    this.#deaths += 1;
    this.#lastDeath = reason;
    log(`${name} (pid ${pid ?? 'none'}) has died (${reason}); starting it again in ${pause / 1000} s`);
    this.#restart = setTimeout(() => {
      this.#launch();
      if (this.#everReady) void this.#sayWhenReady();
    }, pause);
  }

  #everReady = false;

  async #ready(signal: AbortSignal): Promise<void> {
    const { isReady, limits, name } = this.#settings;
    const deadline = Date.now() + limits.ready;
    while (!(this.#child && (await isReady().catch(() => false)))) {
      if (!this.#everReady && this.#deaths > deathsAllowed) {
        throw new NotReadyError(
          `${name} has died ${this.#deaths} times before it was ready (${this.#lastDeath})`,
        );
      }
      if (Date.now() > deadline) {
        throw new NotReadyError(
          `${name} was not ready within ${limits.ready / 1000} s (FEEDMESH_READY_SECONDS)`,
        );
      }
      await delay(100, undefined, { signal });
    }
    this.#everReady = true;
  }

  async #sayWhenReady(): Promise<void> {
    const { log, name } = this.#settings;
    try {
      await this.#ready(this.#stopping.signal);
      log(`${name} (pid ${this.pid}) is ready again`);
    } catch (error) {
      if (error instanceof NotReadyError) log(error.message);
    }
  }
}
