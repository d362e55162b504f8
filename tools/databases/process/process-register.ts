import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '../log.ts';
import { processIdentity } from './process-identity.ts';

interface Entry {
  readonly name: string;
  readonly pid: number;
  readonly identity: string;
}

/**
 * Where to reach what a launcher runs, with the passwords that it has made. It does not record addresses that
 * it was given, whose passwords are not its own.
 */
export interface LauncherAddresses {
  /** The gateway's URL. */
  readonly url?: string;
  readonly redisUrl?: string;
  readonly mongodbUri?: string;
}

/** A launcher that runs at this moment. */
export interface RunningLauncher extends LauncherAddresses {
  readonly pid: number;
}

interface Contents {
  readonly launcher: Entry;
  readonly processes: readonly Entry[];
  readonly addresses?: LauncherAddresses;
}

/** Another launcher runs with the same data folder. */
export class LauncherRunningError extends Error {
  override readonly name = 'LauncherRunningError';
}

/**
 * The file in the data folder that says which processes a launcher has started, so that the next one finds
 * those that outlived it. It is also what keeps two launchers off one data folder.
 */
export class ProcessRegister {
  readonly folder: string;
  #processes: Entry[] = [];
  #addresses: LauncherAddresses = {};

  private constructor(folder: string) {
    this.folder = folder;
  }

  /**
   * Opens the register of `folder` (made if missing) and ends what a dead launcher left running, last
   * started first: SIGTERM, then SIGKILL after `stopLimit` milliseconds. Throws `LauncherRunningError` while
   * another launcher has it open.
   */
  static async open(folder: string, log: Log, stopLimit = 10_000): Promise<ProcessRegister> {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const former = readContents(folder);
    if (former && processIdentity(former.launcher.pid) === former.launcher.identity) {
      throw new LauncherRunningError(
        `another launcher (pid ${former.launcher.pid}) runs with the data folder ${folder}: stop it, or ` +
          'set FEEDMESH_DATA to another folder',
      );
    }
    for (const entry of (former?.processes ?? []).toReversed()) {
      if (processIdentity(entry.pid) !== entry.identity) continue;
      log(`${entry.name} (pid ${entry.pid}) was left running by a launcher that died; stopping it`);
      await end(entry, stopLimit);
    }
    const register = new ProcessRegister(folder);
    register.#write();
    return register;
  }

  /** Finds the launcher that has this folder's register open; undefined if none does. */
  static find(folder: string): RunningLauncher | undefined {
    const contents = readContents(folder);
    if (contents === undefined || processIdentity(contents.launcher.pid) !== contents.launcher.identity)
      return undefined;
    return { ...contents.addresses, pid: contents.launcher.pid };
  }

  /** Records addresses for `find`, besides those that are recorded already. */
  addAddresses(addresses: LauncherAddresses): void {
    this.#addresses = { ...this.#addresses, ...addresses };
    this.#write();
  }

  /** Records a process right after it was started. */
  add(name: string, pid: number): void {
    this.#processes.push({ name, pid, identity: processIdentity(pid) ?? 'ended' });
    this.#write();
  }

  remove(pid: number): void {
    this.#processes = this.#processes.filter((entry) => entry.pid !== pid);
    this.#write();
  }

  /** Gives the data folder free for the next launcher. */
  close(): void {
    rmSync(registerFile(this.folder), { force: true });
  }

  #write(): void {
    const launcher = {
      name: 'launcher',
      pid: process.pid,
      identity: processIdentity(process.pid) ?? 'unknown',
    };
    const contents: Contents = { launcher, processes: this.#processes, addresses: this.#addresses };
    const file = registerFile(this.folder);
    writeFileSync(`${file}.new`, JSON.stringify(contents, null, 2), { mode: 0o600 });
    renameSync(`${file}.new`, file);
  }
}

/** The file of a folder's register. */
export function registerFile(folder: string): string {
  return join(folder, 'processes.json');
}

function readContents(folder: string): Contents | undefined {
  try {
    return JSON.parse(readFileSync(registerFile(folder), 'utf8')) as Contents;
  } catch {
    return undefined;
  }
}

async function end({ pid, identity }: Entry, stopLimit: number): Promise<void> {
  const runs = (): boolean => processIdentity(pid) === identity;
  const deadline = Date.now() + stopLimit;
  signal(pid, 'SIGTERM');
  while (runs() && Date.now() < deadline) await delay(50);
  if (runs()) signal(pid, 'SIGKILL');
  while (runs()) await delay(20);
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has ended in the meantime.
  }
}
