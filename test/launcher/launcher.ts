import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A launcher that runs as a process, and all that it has said. */
export interface RunningLauncher {
  readonly pid: number;
  readonly child: ChildProcess;
  readonly output: () => string;
  /** Resolves with the output up to now once it matches. Rejects when the launcher has ended before. */
  readonly says: (pattern: RegExp) => Promise<string>;
  /** The exit code. */
  readonly ended: Promise<number | null>;
}

/** Starts a program of this folder or of dist, as the leader of a process group, as a shell does. */
export function startLauncher(
  program: string,
  args: string[],
  environment: NodeJS.ProcessEnv,
): RunningLauncher {
  const file = fileURLToPath(new URL(program, import.meta.url));
  const child = spawn(process.execPath, [file, ...args], {
    detached: true,
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stdout.on('data', (bytes: Buffer) => (output += bytes.toString()));
  child.stderr.on('data', (bytes: Buffer) => (output += bytes.toString()));
  const ended = once(child, 'exit').then(([code]) => code as number | null);
  const says = (pattern: RegExp): Promise<string> =>
    new Promise((resolve, reject) => {
      const look = (): void => void (pattern.test(output) && resolve(output));
      child.stdout.on('data', look);
      child.stderr.on('data', look);
      child.once('close', () =>
        reject(new Error(`the launcher has ended without saying ${pattern}:\n${output}`)),
      );
      look();
    });
  if (child.pid === undefined) throw new Error(`${file} could not be started`);
  return { pid: child.pid, child, output: () => output, says, ended };
}

/** What the register in a data folder says that runs: pids by name. */
export function registered(dataFolder: string): Record<string, number> {
  const { processes } = JSON.parse(readFileSync(join(dataFolder, 'processes.json'), 'utf8')) as {
    processes: { name: string; pid: number }[];
  };
  return Object.fromEntries(processes.map(({ name, pid }) => [name, pid]));
}
