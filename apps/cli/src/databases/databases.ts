import { Logger } from '@nestjs/common';
import { resolve } from 'node:path';
import {
  readConfiguration,
  mongodbLocation,
  mongodbSettings,
  redisLocation,
  redisSettings,
  serviceSettings,
} from '#service';
import type { RunningLauncher } from '#databases';
import { openJobQueue } from '#queue';
import type { JobQueueOptions } from '#queue';
import { openStore, StoreAddressError, StoreUnavailableError } from '#store';
import type { OpenStore } from '#store';
import { causeOf } from '../cause.ts';
import { CommandError, exitCode } from '../command-error.ts';
import type { Io } from '../io.ts';
import { readSetting } from '../read-setting.ts';
import { databaseAddresses } from './database-addresses.ts';
import type { DatabaseAddresses } from './database-addresses.ts';
import { findLauncher } from './running-launcher.ts';

const addresses = serviceSettings.pick({ ...namesOf(redisSettings), ...namesOf(mongodbSettings) });

/** The names of a group of settings, as the choice of them among all. */
function namesOf<Group extends object>(group: Group): { readonly [Name in keyof Group]: true } {
  return Object.fromEntries(Object.keys(group).map((name) => [name, true])) as {
    [Name in keyof Group]: true;
  };
}

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
export async function openDatabases(io: Io): Promise<Databases> {
  const { location, mongodb: place, launcher } = await findAddresses(io);
  const [redis, mongodb] = await Promise.all([askRedis(location), askMongodb(place)]);
  return {
    ...(redis !== undefined && { redis }),
    ...mongodb,
    ...(launcher !== undefined && { launcher }),
  };
}

/**
 * Opens the store of MongoDB alone, which is to be closed; Redis is not asked. Throws CommandError (64) if
 * the address is wrong, (69) if MongoDB does not respond.
 */
export async function openMongodb(io: Io): Promise<OpenStore> {
  const { store, mongodb } = await askMongodb((await findAddresses(io)).mongodb);
  if (store === undefined)
    throw new CommandError(`MongoDB does not respond: ${mongodb}`, exitCode.noDatabase);
  return store;
}

/** Finds where Redis is, without asking it. Throws CommandError (64) if an address is wrong. */
export async function findRedis(io: Io): Promise<JobQueueOptions> {
  return (await findAddresses(io)).location;
}

async function findAddresses({
  environment,
}: Io): Promise<ReturnType<typeof readAddresses> & { readonly launcher: FoundLauncher | undefined }> {
  const folder = resolve(environment['FEEDMESH_DATA'] || '.feedmesh');
  const launcher = await findLauncher(folder);
  const { found, withheld } = databaseAddresses(environment, launcher);
  return {
    ...readAddresses({ ...environment, ...found }),
    launcher: launcher && { ...launcher, folder, withheld },
  };
}

function readAddresses(environment: Readonly<Record<string, string | undefined>>): {
  readonly location: JobQueueOptions;
  readonly mongodb: ReturnType<typeof mongodbLocation>;
} {
  return readSetting({ environment }, (given) => {
    const configuration = readConfiguration(addresses, given);
    return { location: redisLocation(configuration), mongodb: mongodbLocation(configuration) };
  });
}

async function askRedis(location: JobQueueOptions): Promise<string | undefined> {
  // What the connection fails with it only logs, and on stdout.
  let fault: string | undefined;
  Logger.overrideLogger({
    log: () => undefined,
    error: () => undefined,
    warn: (message: unknown) => (fault = String(message)),
  });
  const queue = openJobQueue({ ...location, sendTimeout: timeout });
  try {
    await queue.check(timeout);
    return undefined;
  } catch (error) {
    return fault ?? causeOf(error);
  } finally {
    await queue.close();
  }
}

async function askMongodb(
  location: ReturnType<typeof mongodbLocation>,
): Promise<Pick<Databases, 'mongodb' | 'store'>> {
  try {
    return { store: await openStore(location) };
  } catch (error) {
    if (error instanceof StoreAddressError)
      throw new CommandError(`MONGODB_URI ${error.message}`, exitCode.usage, { cause: error });
    if (!(error instanceof StoreUnavailableError)) throw error;
    return { mongodb: error.message };
  }
}
