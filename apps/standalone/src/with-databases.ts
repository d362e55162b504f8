import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { constants } from 'node:os';
import { resolve } from 'node:path';
import {
  openThrowaway,
  provideDatabases,
  readLimits,
  RunMark,
  type Databases,
  type ProcessRegister,
} from '#databases';
import { logToStderr as log, terminationSignal } from './termination.ts';

/**
 * `with-databases PROGRAM ARGUMENTS…` runs a program with `REDIS_URL` and `MONGODB_URI` of empty databases
 * (or of the given ones) and with a `FEEDMESH_DATA` of its own, removes all of it afterwards, and ends with
 * the program's exit code. Also ends all processes that the program has started and left.
 */
async function run(command: readonly string[], signal: AbortSignal): Promise<number> {
  const limits = readLimits(process.env);
  const register = await openThrowaway(
    resolve(process.env['FEEDMESH_DATA'] || '.feedmesh'),
    log,
    limits.stop,
  );
  const mark = new RunMark();
  let databases: Databases | undefined;
  try {
    databases = await provideDatabases({ environment: process.env, register, limits, log, signal });
    return await runProgram(command, databases, register, mark, signal);
  } catch (error) {
    if (!signal.aborted) log(error instanceof Error ? error.message : String(error));
    return signal.aborted ? 128 + constants.signals.SIGTERM : 1;
  } finally {
    await mark.killAll();
    await databases?.stop();
    rmSync(register.folder, { recursive: true, force: true });
  }
}

function runProgram(
  [program = 'true', ...args]: readonly string[],
  databases: Databases,
  register: ProcessRegister,
  mark: RunMark,
  signal: AbortSignal,
): Promise<number> {
  const addresses = {
    REDIS_URL: databases.redisUrl,
    MONGODB_URI: databases.mongodbUri,
    FEEDMESH_DATA: register.folder,
  };
  const child = spawn(program, args, { stdio: 'inherit', env: mark.addTo({ ...process.env, ...addresses }) });
  if (child.pid !== undefined) register.add('program', child.pid);
  const pass = (): boolean => child.kill('SIGTERM');
  signal.addEventListener('abort', pass);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, name) => resolve(name ? 128 + constants.signals[name] : (code ?? 1)));
  });
}

process.exit(await run(process.argv.slice(2), terminationSignal()));
