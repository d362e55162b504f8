import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

/** A variable that contains the marks of all runs that a process is part of: runs can be nested. */
const variable = 'FEEDMESH_RUNS';

/**
 * Marks a program and all processes that it starts, so that they can be ended together whatever their group
 * and their parent are. A process that gets an environment without the mark is not found.
 */
export class RunMark {
  readonly #mark = randomUUID();

  /** The environment with the mark. */
  addTo(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
    return { ...environment, [variable]: [environment[variable], this.#mark].filter(Boolean).join() };
  }

  /** Kills all processes with the mark, until none is left. Finds none on systems without /proc. */
  async killAll(): Promise<void> {
    for (let pids = this.#pids(); pids.length > 0; pids = this.#pids()) {
      for (const pid of pids) kill(pid);
      await delay(20);
    }
  }

  #pids(): number[] {
    if (process.platform !== 'linux') return [];
    return readdirSync('/proc')
      .map(Number)
      .filter((pid) => pid > 0 && environmentOf(pid).includes(this.#mark));
  }
}

/** Empty if it has ended, or is somebody else's. */
function environmentOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1');
  } catch {
    return '';
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended in the meantime.
  }
}
