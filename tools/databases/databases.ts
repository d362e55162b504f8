import { mkdirSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findProgram } from './providers/find-program.ts';
import { givenAddress } from './providers/given-address.ts';
import { mongodb, redis, type Server } from './providers/server.ts';
import type { Limits } from './limits.ts';
import { debugLog, type Log } from './log.ts';
import { bringUpReplicaSet, mongodbAddress, mongodbAnswers, mongodbCommand } from './mongodb.ts';
import type { Password } from './password.ts';
import { keptPort } from './process/kept-port.ts';
import type { ProcessRegister } from './process/process-register.ts';
import { NotReadyError, SupervisedProcess } from './process/supervised-process.ts';
import { isPlainRedis, redisAddress, redisAnswers, redisCommand } from './redis.ts';

export interface DatabaseSettings {
  /** Where `REDIS_URL` and `MONGODB_URI` are looked for, and the PATH. */
  readonly environment: NodeJS.ProcessEnv;
  /** Its folder holds the data. */
  readonly register: ProcessRegister;
  /** What private servers demand; without it, everyone on this machine can use them. */
  readonly password?: Password;
  readonly limits: Limits;
  readonly log: Log;
  readonly signal: AbortSignal;
}

export interface Databases {
  readonly redisUrl: string;
  readonly mongodbUri: string;
  /** The pids of the private servers that run now, by name (`redis`, `mongodb`). */
  readonly processes: Readonly<Record<string, number>>;
  /** Stops the private servers; the data stays. */
  stop(): Promise<void>;
}

/** How a private server is started and known to be ready. */
interface PrivateServer extends Server {
  readonly answers: (address: string) => Promise<boolean>;
  readonly command: (
    program: string,
    port: number,
    folder: string,
    password?: Password,
  ) => [string, ...string[]];
  readonly address: (port: number, password?: Password) => string;
  readonly isReady: (port: number, password?: Password) => Promise<boolean>;
}

const privateRedis: PrivateServer = {
  ...redis,
  answers: async (address) => !isPlainRedis(address) || redisAnswers(address),
  command: redisCommand,
  address: redisAddress,
  isReady: (port, password) => redisAnswers(redisAddress(port, password)),
};

const privateMongodb: PrivateServer = {
  ...mongodb,
  answers: mongodbAnswers,
  command: mongodbCommand,
  address: mongodbAddress,
  isReady: bringUpReplicaSet,
};

/**
 * Provides Redis and MongoDB: the given ones, or private servers on 127.0.0.1 with their data in the
 * register's folder, on the same ports at each start, which are started again when they die. Throws
 * `GivenAddressError`, `NoServerError` or `NotReadyError`, and leaves nothing running then.
 */
export async function provideDatabases(settings: DatabaseSettings): Promise<Databases> {
  const started = new Map<string, SupervisedProcess>();
  const stop = async (): Promise<void> => {
    await Promise.all([...started.values()].map((server) => server.stop()));
  };
  try {
    const redisUrl = await provide(privateRedis, settings, started);
    const mongodbUri = await provide(privateMongodb, settings, started);
    return {
      redisUrl,
      mongodbUri,
      get processes() {
        return Object.fromEntries(
          [...started].flatMap(([name, { pid }]) => (pid === undefined ? [] : [[name, pid]])),
        );
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function provide(
  server: PrivateServer,
  settings: DatabaseSettings,
  started: Map<string, SupervisedProcess>,
): Promise<string> {
  const { environment, limits, log, password, register, signal } = settings;
  const debug = debugLog(environment, log);
  const surroundings = { environment, log, debug, signal, downloadLimit: limits.download };
  const given = await givenAddress(server, surroundings, server.answers, limits.ready);
  if (given !== undefined) return given;
  const program = await findProgram(server, surroundings);
  const name = server.title.toLowerCase();
  const folder = join(register.folder, name);
  mkdirSync(folder, { recursive: true });
  const logFile = join(register.folder, `${name}.log`);
  const output = openSync(logFile, 'w');
  const port = await keptPort(register.folder, server.title, log);
  try {
    const command = server.command(program, port, folder, password);
    const isReady = (): Promise<boolean> => server.isReady(port, password);
    started.set(
      name,
      await SupervisedProcess.start(
        { name, command, environment, output, isReady, limits, register, log },
        signal,
      ),
    );
  } catch (error) {
    if (!(error instanceof NotReadyError)) throw error;
    throw new NotReadyError(`${error.message}. The end of ${logFile}:\n${lastLines(logFile)}`);
  }
  log(`${server.title}: ready on 127.0.0.1:${port}, data in ${folder}`);
  return server.address(port, password);
}

function lastLines(file: string): string {
  return readFileSync(file, 'utf8').trimEnd().split('\n').slice(-5).join('\n');
}
