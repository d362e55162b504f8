import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Log } from './log.ts';
import { processIdentity } from './process/process-identity.ts';
import { LauncherRunningError, ProcessRegister, registerFile } from './process/process-register.ts';

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
    const pid = /^run-(\d+)$/.exec(name)?.[1];
    if (pid !== undefined && Number(pid) !== process.pid)
      await sweep(join(dataFolder, name), Number(pid), log, stopLimit);
  }
  return register;
}

/**
 * The run's own register first: it says whether the run is alive, and ending its program lets that end what
 * it has started, in registers of its own.
 */
async function sweep(folder: string, pid: number, log: Log, stopLimit: number): Promise<void> {
  // The process with this number is about to make the register, or to remove the folder.
  if (!existsSync(registerFile(folder)) && processIdentity(pid) !== undefined) return;
  try {
    await ProcessRegister.open(folder, log, stopLimit);
    for (const below of registersBelow(folder)) await ProcessRegister.open(below, log, stopLimit);
    // Another program that starts at this moment may remove it as well.
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  } catch (error) {
    if (!(error instanceof LauncherRunningError)) throw error;
  }
}

/** The folders below one that have a register, each before those in it. What is there may vanish. */
function registersBelow(folder: string): string[] {
  return foldersIn(folder).flatMap((below) => [
    ...(existsSync(registerFile(below)) ? [below] : []),
    ...registersBelow(below),
  ]);
}

function foldersIn(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => join(folder, name));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
