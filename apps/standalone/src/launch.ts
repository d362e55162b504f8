import { resolve } from 'node:path';
import {
  makePrivate,
  provideDatabases,
  providePassword,
  ProcessRegister,
  readLimits,
  type Databases,
  type Log,
} from '#databases';
import { provideAccess } from './access.ts';
import { startInstance, type Instance } from './instance.ts';
import type { Service } from './service.ts';

interface LaunchSettings {
  readonly environment: NodeJS.ProcessEnv;
  readonly services?: readonly Service[];
  readonly log: Log;
  /** Its abort stops everything in order. */
  readonly signal: AbortSignal;
}

/**
 * Runs a whole Feedmesh on this machine until the signal aborts: databases, then services; stopped the other
 * way round. Its data is in `FEEDMESH_DATA`. Throws what kept it from starting, with nothing left running.
 */
export async function launch({ environment, services, log, signal }: LaunchSettings): Promise<void> {
  const startedAt = Date.now();
  const limits = readLimits(environment);
  const dataFolder = resolve(environment['FEEDMESH_DATA'] || '.feedmesh');
  // For what the databases write as well, and whatever else this process starts.
  process.umask(0o077);
  makePrivate(dataFolder);
  const register = await ProcessRegister.open(dataFolder, log, limits.stop);
  let databases: Databases | undefined;
  let instance: Instance | undefined;
  try {
    const common = { register, limits, log, signal };
    const password = providePassword(dataFolder);
    databases = await provideDatabases({ ...common, environment, password });
    const { redisUrl, mongodbUri, processes } = databases;
    register.addAddresses({
      ...('redis' in processes && { redisUrl }),
      ...('mongodb' in processes && { mongodbUri }),
    });
    const access = provideAccess(environment, dataFolder);
    const addresses = { REDIS_URL: redisUrl, MONGODB_URI: mongodbUri };
    instance = await startInstance({
      ...common,
      name: '',
      environment: { ...environment, ...addresses, ...access },
      ...(services && { services }),
    });
    register.addAddresses({ url: instance.url });
    announce(instance.url, redisUrl, Date.now() - startedAt, environment, log);
    if ('redis' in processes) log(`                   password in ${password.file}`);
    if (access !== undefined) announceKey(access.AUTH_ADMIN_KEY, environment, log);
    await aborted(signal);
    log('stopping');
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    await instance?.stop();
    await databases?.stop();
    register.close();
  }
  log('stopped');
}

function announce(
  url: string,
  redisUrl: string,
  tookMilliseconds: number,
  { PUBLIC_URL }: NodeJS.ProcessEnv,
  log: Log,
): void {
  log(`Feedmesh is ready after ${(tookMilliseconds / 1000).toFixed(1)} s. Ctrl-C stops it.`);
  log(`  API              ${url}/`);
  log(`  API reference    ${url}/docs`);
  log(`  feeds            ${PUBLIC_URL || url}/feeds/{collection}.atom`);
  log(`  queue and events ${withoutPassword(redisUrl)}`);
}

function announceKey(key: string, { AUTH, HOST }: NodeJS.ProcessEnv, log: Log): void {
  const isLoopback = !HOST || /^(?:127\.|::1$|localhost$)/.test(HOST);
  const isNeeded = AUTH ? AUTH === 'required' : !isLoopback;
  log(`  key              ${key}`);
  log(
    isNeeded
      ? '                   send it as Authorization: Bearer KEY, or set FEEDMESH_KEY'
      : '                   not needed, because only this machine can connect; AUTH=required demands it',
  );
}

/** The address of a given Redis may hold its password, and several hosts, which `URL` does not know. */
function withoutPassword(address: string): string {
  return address.replace(/^([^/]+:\/\/[^/@:]*):[^/@]*@/, '$1:***@');
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
