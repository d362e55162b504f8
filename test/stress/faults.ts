import { setTimeout as wait } from 'node:timers/promises';
import type { PrivateRedis } from '../acceptance/queue/support/redis.ts';
import type { Dice } from '../simulation/dice.ts';
import type { PrivateMongodb } from '../support/private-mongodb.ts';
import type { Installation } from './installation.ts';

/** Something that goes wrong, and is over once it resolves. */
export interface Fault {
  readonly name: string;
  strike(): Promise<void>;
}

export interface Surroundings {
  readonly installations: readonly Installation[];
  readonly redis: PrivateRedis;
  readonly mongodb: PrivateMongodb;
  readonly dice: Dice;
}

/** How long something is away or frozen, in milliseconds. */
const [shortest, longest] = [1000, 4000];

/** All faults of the story, in an order by accident. */
export function faultsInTurn({ installations, redis, mongodb, dice }: Surroundings): Fault[] {
  const away = (): Promise<void> => wait(shortest + dice.below(longest - shortest));
  const frozen = async (server: Pick<PrivateRedis, 'freeze' | 'thaw'>): Promise<void> => {
    await server.freeze();
    await away();
    server.thaw();
  };
  const killed = async (server: Pick<PrivateRedis, 'kill' | 'restart'>): Promise<void> => {
    await server.kill();
    await away();
    await server.restart();
  };
  const faults: Fault[] = [
    { name: 'Redis is killed', strike: () => killed(redis) },
    {
      name: 'Redis is killed and has lost its data',
      strike: async () => {
        await redis.command('FLUSHALL');
        await killed(redis);
      },
    },
    { name: 'Redis is flushed', strike: () => redis.command('FLUSHALL') },
    { name: 'Redis stops', strike: () => frozen(redis) },
    { name: 'mongod is killed', strike: () => killed(mongodb) },
    { name: 'mongod stops', strike: () => frozen(mongodb) },
    { name: 'mongod is a secondary', strike: () => mongodb.stepDown(2) },
    ...installations.flatMap(({ name, instance }) =>
      Object.keys(instance.processes).flatMap((service): Fault[] => [
        {
          name: `${name}'s ${service} is killed`,
          strike: async () => signal(instance.processes[service], 'SIGKILL'),
        },
        {
          name: `${name}'s ${service} stops`,
          strike: async () => {
            const pid = instance.processes[service];
            signal(pid, 'SIGSTOP');
            await away();
            signal(pid, 'SIGCONT');
          },
        },
      ]),
    ),
  ];
  return faults
    .map((fault) => [dice.fraction(), fault] as const)
    .toSorted(([a], [b]) => a - b)
    .map(([, fault]) => fault);
}

/** Sends a signal, unless the process has ended already. */
function signal(pid: number | undefined, name: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
