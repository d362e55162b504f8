import { rmSync } from 'node:fs';
import { constants } from 'node:os';
import { resolve } from 'node:path';
import { freePort, openThrowaway, provideDatabases, readLimits } from '#databases';
import type { Databases } from '#databases';
import { startInstance } from '../instance.ts';
import type { Instance } from '../instance.ts';
import { services } from '../service.ts';
import { logToStderr as log, terminationSignal } from '../termination.ts';
import { DemoEndpoint } from './endpoint.ts';
import { lastMoment, tellStory } from './story.ts';

/**
 * `demo [--kill SERVICE[,SERVICE…]]`: two endpoints on this machine, each with its four services and
 * databases of its own, tell the story of `story.ts`. With `--kill`, these services of the first endpoint are
 * killed (`kill -9`) in the middle, each at a moment of its own: the last one while both are at odds, those
 * before it at the edits before that. Exits with 0 if both have the same items in the end, with 2 for a wrong
 * command line, otherwise with 1.
 */
const [option, list = ''] = process.argv.slice(2);
const victims = option === undefined ? [] : list.split(',');
const signal = terminationSignal();
const limits = readLimits(process.env);
const say = (line: string): void => void process.stdout.write(`${line}\n`);

process.exit(await run());

async function run(): Promise<number> {
  const unknown = victims.find((victim) => !services.some(({ name }) => name === victim));
  if ((option !== undefined && option !== '--kill') || unknown !== undefined || victims.length > lastMoment) {
    if (unknown) log(`there is no service "${unknown}"`);
    log(
      `usage: demo [--kill SERVICE[,SERVICE…]], at most ${lastMoment} of ` +
        services.map(({ name }) => name).join(', '),
    );
    return 2;
  }
  const register = await openThrowaway(
    resolve(process.env['FEEDMESH_DATA'] || '.feedmesh'),
    log,
    limits.stop,
  );
  let databases: Databases | undefined;
  const instances: Instance[] = [];
  try {
    databases = await provideDatabases({ environment: process.env, register, limits, log, signal });
    const start = async (name: string, database: number): Promise<DemoEndpoint> => {
      const instance = await startInstance({
        name,
        environment: await environmentOf(name, database, databases as Databases),
        register,
        limits,
        log,
        signal,
      });
      instances.push(instance);
      return new DemoEndpoint(name, instance.url, 'todo');
    };
    const [ray, jack] = [await start('Ray', 1), await start('Jack', 2)];
    await tellStory(ray, jack, { say, interrupt: (moment) => interrupt(moment, instances[0], ray) });
    say('Both feeds end with the same item set.');
    return 0;
  } catch (error) {
    if (signal.aborted) return 128 + constants.signals.SIGINT;
    say(`The demo failed: ${error instanceof Error ? error.message : String(error)}`);
    return 1;
  } finally {
    await Promise.all(instances.map((instance) => instance.stop()));
    await databases?.stop();
    rmSync(register.folder, { recursive: true, force: true });
  }
}

/**
 * What one endpoint's services get: a gateway and databases of their own, and leave to fetch from this
 * machine.
 */
async function environmentOf(
  name: string,
  database: number,
  { redisUrl, mongodbUri }: Databases,
): Promise<NodeJS.ProcessEnv> {
  const PORT = String(await freePort());
  const [redis, mongodb] = [new URL(redisUrl), new URL(mongodbUri)];
  redis.pathname = `/${database}`;
  mongodb.pathname = `/feedmesh-demo-${name.toLowerCase()}-${process.pid}`;
  return {
    ...process.env,
    PORT,
    PUBLIC_URL: `http://127.0.0.1:${PORT}`,
    REDIS_URL: redis.href,
    MONGODB_URI: mongodb.href,
    FETCH_ALLOW_NETWORKS: '127.0.0.0/8',
    FETCH_HOST_RATE: '1000000',
    FETCH_HOST_BURST: '1000000',
    FETCH_HOST_CONNECTIONS: '1000',
    FETCH_SCHEDULE_MS: '200',
    LOG_LEVEL: process.env['LOG_LEVEL'] ?? 'error',
  };
}

function interrupt(moment: number, instance: Instance | undefined, { name }: DemoEndpoint): void {
  const victim = victims.at(moment - lastMoment - 1);
  if (victim === undefined) return;
  const pid = instance?.processes[victim];
  if (pid === undefined) throw new Error(`${name} has no running service "${victim}".`);
  process.kill(pid, 'SIGKILL');
  say(`${name}'s ${victim} is killed (kill -9) and comes back`);
}
