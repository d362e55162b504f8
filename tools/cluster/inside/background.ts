import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/** A program that ended although it should run until the end, or was not ready in time. */
export class BackgroundError extends Error {
  override readonly name = 'BackgroundError';
}

/** How long any of them may take to be ready, in milliseconds; it only ends a hang. */
const readyWithin = 180_000;

/** The programs of the cluster that run in the background, each with its log in the folder. */
export class Background {
  readonly #folder: string;
  readonly #environment: NodeJS.ProcessEnv;
  readonly #children = new Map<string, ChildProcess>();

  constructor(folder: string, environment: NodeJS.ProcessEnv) {
    this.#folder = folder;
    this.#environment = environment;
  }

  /**
   * Starts a program and waits until it is ready. Throws `BackgroundError` with the end of its log if it ends
   * before, or takes too long.
   * @param isReady an error means not yet
   */
  async start(
    name: string,
    [program, ...args]: readonly [string, ...string[]],
    isReady: () => Promise<boolean>,
    environment: NodeJS.ProcessEnv = {},
  ): Promise<void> {
    const output = openSync(this.#logFile(name), 'a');
    const child = spawn(program, args, {
      cwd: this.#folder,
      env: { ...this.#environment, ...environment },
      stdio: ['ignore', output, output],
    });
    child.once('error', () => {});
    this.#children.set(name, child);
    const deadline = Date.now() + readyWithin;
    while (!(await isReady().catch(() => false))) {
      if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null)
        throw new BackgroundError(
          `${name} has ended before it was ready. The end of its log:\n${this.log(name)}`,
        );
      if (Date.now() > deadline)
        throw new BackgroundError(
          `${name} was not ready within ${readyWithin / 1000} s. The end of its log:\n${this.log(name)}`,
        );
      await delay(200);
    }
  }

  /** Kills a program, and waits until it has ended. */
  async kill(name: string): Promise<void> {
    const child = this.#children.get(name);
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  }

  /** The last lines of a program's log. */
  log(name: string, lines = 15): string {
    return readFileSync(this.#logFile(name), 'utf8').trimEnd().split('\n').slice(-lines).join('\n');
  }

  #logFile(name: string): string {
    return join(this.#folder, `${name}.log`);
  }
}
