import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { asFailure, causeOf } from '../cause.ts';
import { CommandError, exitCode } from '../command-error.ts';
import { stateFolder } from './place.ts';

/**
 * Takes a folder, made if it is missing, for this process alone; returns how to give it back. A process
 * that was killed keeps none.
 * @throws CommandError (64) if another process has it, if it has files in it that are no mirror, or
 *   can't be made
 */
export function lockFolder(folder: string): () => void {
  const own = join(folder, stateFolder);
  try {
    if (!existsSync(own) && existsSync(folder) && readdirSync(folder).length > 0)
      throw new Error(
        'it has files in it that are no mirror; give a folder that is empty or does not exist yet',
      );
    mkdirSync(own, { recursive: true });
    if (!lstatSync(own).isDirectory()) throw new Error(`${own} is not a folder of this program`);
  } catch (error) {
    throw new CommandError(`cannot use ${folder}: ${causeOf(error)}`, exitCode.usage, { cause: error });
  }
  const file = join(own, 'process');
  while (!isWritten(file)) {
    const holder = holderOf(file);
    if (holder !== undefined)
      throw new CommandError(
        `process ${holder} is synchronising ${folder}; if that is wrong, delete ${file}`,
        exitCode.usage,
      );
    rmSync(file, { force: true });
  }
  return () => rmSync(file, { force: true });
}

function isWritten(file: string): boolean {
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (asFailure(error).code === 'EEXIST') return false;
    throw error;
  }
}

/** The process that a lock names, if it is still there. */
function holderOf(file: string): number | undefined {
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const holder = Number(text);
  if (!(holder > 0) || holder === process.pid) return undefined;
  try {
    process.kill(holder, 0);
    return holder;
  } catch (error) {
    return asFailure(error).code === 'EPERM' ? holder : undefined;
  }
}
