import { readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Log } from './log.ts';
import { LauncherRunningError, ProcessRegister } from './process/process-register.ts';

/**
 * Opens the register of a fresh folder `run-<pid>` below the data folder, for a program that wants empty
 * databases. What runs that were killed have left is ended and removed first. The caller removes the folder
 * at the end.
 */
export async function openThrowaway(
  dataFolder: string,
  log: Log,
  stopLimit: number,
): Promise<ProcessRegister> {
  const folder = join(dataFolder, `run-${process.pid}`);
  const register = await ProcessRegister.open(folder, log, stopLimit);
  for (const name of readdirSync(dataFolder)) {
    const other = join(dataFolder, name);
    if (/^run-\d+$/.test(name) && other !== folder) await sweep(other, log, stopLimit);
  }
  return register;
}

/**
 * The run's own register first: ending its program lets that end what it has started, in registers of its
 * own.
 */
async function sweep(folder: string, log: Log, stopLimit: number): Promise<void> {
  try {
    const registers = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
      file.endsWith('processes.json'),
    );
    for (const file of registers.sort((a, b) => a.length - b.length)) {
      await ProcessRegister.open(join(folder, dirname(file)), log, stopLimit);
    }
    rmSync(folder, { recursive: true, force: true });
  } catch (error) {
    if (!(error instanceof LauncherRunningError)) throw error;
  }
}
