import { Logger } from '@nestjs/common';
import { ConfigurationError, readConfiguration, serviceSettings } from '#configuration';
import { openJobQueue } from '#queue';
import { openStore, StoreUnavailableError } from '#store';
import type { OpenStore } from '#store';
import { causeOf } from '../cause.ts';
import { CommandError, exitCode } from '../command-error.ts';
import type { Io } from '../io.ts';

const addresses = serviceSettings.pick({ REDIS_URL: true, MONGODB_URI: true });

/** How long Redis may take for a step, in milliseconds; MongoDB has as long by itself. */
const patience = 5000;

/** Whether Redis and MongoDB answer: where one does not, why; where MongoDB does, the store, which is to be closed. */
export interface Databases {
  readonly redis?: string;
  readonly mongodb?: string;
  readonly store?: OpenStore;
}

/** Asks the databases that the services are given by `REDIS_URL` and `MONGODB_URI`. Throws CommandError (64) where these are wrong. */
export async function openDatabases({ environment }: Io): Promise<Databases> {
  const { REDIS_URL, MONGODB_URI } = readAddresses(environment);
  const [redis, mongodb] = await Promise.all([askRedis(REDIS_URL), askMongodb(MONGODB_URI)]);
  return { ...(redis !== undefined && { redis }), ...mongodb };
}

function readAddresses(environment: Io['environment']): { readonly REDIS_URL: string; readonly MONGODB_URI: string } {
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
  Logger.overrideLogger({ log: () => undefined, error: () => undefined, warn: (message: unknown) => (fault = String(message)) });
  const queue = openJobQueue({ redisUrl, sendTimeout: patience });
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
