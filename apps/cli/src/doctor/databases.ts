import { Logger } from '@nestjs/common';
import { resolve } from 'node:path';
import { ConfigurationError, readConfiguration, serviceSettings } from '#service';
import type { RunningLauncher } from '#databases';
import { openJobQueue } from '#queue';
import { openStore, StoreUnavailableError } from '#store';
import type { OpenStore } from '#store';
import { causeOf } from '../cause.ts';
import { CommandError, exitCode } from '../command-error.ts';
import type { Io } from '../io.ts';
import { databaseAddresses } from './database-addresses.ts';
import type { DatabaseAddresses } from './database-addresses.ts';
import { findLauncher } from './running-launcher.ts';

const addresses = serviceSettings.pick({ REDIS_URL: true, MONGODB_URI: true });

/** How long Redis may take for a step, in milliseconds; MongoDB has as long by itself. */
const timeout = 5000;

/** A running launcher, its data folder, and the settings of databases that it was given. */
export interface FoundLauncher extends RunningLauncher {
  readonly folder: string;
  readonly withheld: DatabaseAddresses['withheld'];
}

/**
 * Whether Redis and MongoDB answer: if one does not, why; if MongoDB does, the store, which is to be
 * closed.
 */
export interface Databases {
  readonly redis?: string;
  readonly mongodb?: string;
  readonly store?: OpenStore;
  /** The launcher that runs with this data folder. */
  readonly launcher?: FoundLauncher;
}

/**
 * Asks the databases that the services are given by `REDIS_URL` and `MONGODB_URI`; if one is not set, the
 * private one of the launcher (`npm start`) that runs with the data folder `FEEDMESH_DATA`. Throws
 * CommandError (64) if an address is wrong.
 */
export async function openDatabases({ environment }: Io): Promise<Databases> {
  const folder = resolve(environment['FEEDMESH_DATA'] || '.feedmesh');
  const launcher = await findLauncher(folder);
  const { found, withheld } = databaseAddresses(environment, launcher);
  const { REDIS_URL, MONGODB_URI } = readAddresses(found);
  const [redis, mongodb] = await Promise.all([askRedis(REDIS_URL), askMongodb(MONGODB_URI)]);
  return {
    ...(redis !== undefined && { redis }),
    ...mongodb,
    ...(launcher !== undefined && { launcher: { ...launcher, folder, withheld } }),
  };
}

function readAddresses(environment: Readonly<Record<string, string | undefined>>): {
  readonly REDIS_URL: string;
  readonly MONGODB_URI: string;
} {
  try {
    return readConfiguration(addresses, environment);
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    throw new CommandError(error.message, exitCode.usage, { cause: error });
  }
}

async function askRedis(redisUrl: string): Promise<string | undefined> {
  // What the connection fails with it only logs, and on stdout.
  let fault: string | undefined;
  Logger.overrideLogger({
    log: () => undefined,
    error: () => undefined,
    warn: (message: unknown) => (fault = String(message)),
  });
  const queue = openJobQueue({ redisUrl, sendTimeout: timeout });
  try {
    await queue.ping();
    return undefined;
  } catch (error) {
    return fault ?? causeOf(error);
  } finally {
    await queue.close();
  }
}

async function askMongodb(uri: string): Promise<Pick<Databases, 'mongodb' | 'store'>> {
  try {
    return { store: await openStore({ uri }) };
  } catch (error) {
    if (!(error instanceof StoreUnavailableError)) throw error;
    return { mongodb: error.message };
  }
}
