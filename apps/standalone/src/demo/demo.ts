import { rmSync } from 'node:fs';
import { constants } from 'node:os';
import { resolve } from 'node:path';
import { freePort, openThrowaway, provideDatabases, readLimits } from '#database-server';
import type { Databases } from '#database-server';
import { startInstance } from '../instance.ts';
import type { Instance } from '../instance.ts';
import { logToStderr as log, terminationSignal } from '../termination.ts';
import { DemoEndpoint } from './endpoint.ts';
import { tellStory } from './story.ts';

/**
 * `demo [--kill SERVICE]`: two endpoints on this machine, each with its four services and databases of its own, tell the story
 * of `story.ts`. With `--kill`, that service of the first endpoint is killed (`kill -9`) in the middle. Ends with 0 where both
 * have the same items in the end, else with 1.
 */
const [option, victim] = process.argv.slice(2);
const signal = terminationSignal();
const limits = readLimits(process.env);
const say = (line: string): void => void process.stdout.write(`${line}\n`);

process.exit(await run());

async function run(): Promise<number> {
  if (option !== undefined && (option !== '--kill' || victim === undefined)) {
    log('usage: demo [--kill fetcher|merger|publisher|gateway]');
    return 2;
  }
  const register = await openThrowaway(resolve(process.env['FEEDMESH_DATA'] || '.feedmesh'), log, limits.stop);
  let databases: Databases | undefined;
  const instances: Instance[] = [];
  try {
    databases = await provideDatabases({ environment: process.env, register, limits, log, signal });
    const start = async (name: string, database: number): Promise<DemoEndpoint> => {
      const instance = await startInstance({ name, environment: await environmentOf(name, database, databases as Databases), register, limits, log, signal });
      instances.push(instance);
      return new DemoEndpoint(name, instance.url, 'todo');
    };
    const [ray, jack] = [await start('Ray', 1), await start('Jack', 2)];
    await tellStory(ray, jack, { say, interrupt: () => interrupt(instances[0], ray) });
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

/** What one endpoint's services get: a gateway and databases of their own, and leave to fetch from this machine. */
async function environmentOf(name: string, database: number, { redisUrl, mongodbUri }: Databases): Promise<NodeJS.ProcessEnv> {
  const PORT = String(await freePort());
  const [redis, mongodb] = [new URL(redisUrl), new URL(mongodbUri)];
  redis.pathname = `/${database}`;
  mongodb.pathname = `/feedmesh-demo-${name.toLowerCase()}-${process.pid}`;
  return {
    ...process.env, PORT, PUBLIC_URL: `http://127.0.0.1:${PORT}`, REDIS_URL: redis.href, MONGODB_URI: mongodb.href,
    FETCH_ALLOW_NETWORKS: '127.0.0.0/8', FETCH_SCHEDULE_PAUSE: '200', LOG_LEVEL: process.env['LOG_LEVEL'] ?? 'error',
  };
}

function interrupt(instance: Instance | undefined, { name }: DemoEndpoint): void {
  if (victim === undefined) return;
  const pid = instance?.processes[victim];
  if (pid === undefined) throw new Error(`${name} has no running service "${victim}".`);
  process.kill(pid, 'SIGKILL');
  say(`${name}'s ${victim} is killed (kill -9) and comes back`);
}
