import { setTimeout as wait } from 'node:timers/promises';
import type { PrivateRedis } from '../acceptance/queue/support/redis.ts';
import type { Dice } from '../simulation/dice.ts';
import type { PrivateMongodb } from '../support/private-mongodb.ts';
import { isStress } from '../support/stress.ts';
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
const [shortest, longest] = isStress ? [1000, 4000] : [500, 2000];

/**
 * All faults of the story, in an order by accident. The short form has none that another one of it
 * includes, and one of each service: two are killed in one installation, the others stop in the other.
 */
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
    {
      name: 'Redis is killed and has lost its data',
      strike: async () => {
        await redis.command('FLUSHALL');
        await killed(redis);
      },
    },
    { name: 'Redis stops', strike: () => frozen(redis) },
    { name: 'mongod is killed', strike: () => killed(mongodb) },
    { name: 'mongod stops', strike: () => frozen(mongodb) },
    ...(isStress
      ? [
          { name: 'Redis is killed', strike: () => killed(redis) },
          { name: 'Redis is flushed', strike: () => redis.command('FLUSHALL') },
          { name: 'mongod is a secondary', strike: () => mongodb.stepDown(2) },
        ]
      : []),
    ...installations.flatMap(({ name, instance }, place) =>
      Object.keys(instance.processes)
        .toSorted()
        .flatMap((service, number): Fault[] => {
          const killing = {
            name: `${name}'s ${service} is killed`,
            strike: async () => signal(instance.processes[service], 'SIGKILL'),
          };
          const stopping = {
            name: `${name}'s ${service} stops`,
            strike: async () => {
              const pid = instance.processes[service];
              signal(pid, 'SIGSTOP');
              await away();
              signal(pid, 'SIGCONT');
            },
          };
          if (isStress) return [killing, stopping];
          if (number % 2 !== place) return [];
          return [place === 0 ? killing : stopping];
        }),
    ),
  ];
  return faults
    .map((fault) => [dice.fraction(), fault] as const)
    .toSorted(([a], [b]) => a - b)
    .map(([, fault]) => fault);
}

/** Sends a signal, unless the process has ended already. */
export function signal(pid: number | undefined, name: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
