import type { Command } from 'commander';
import { addCommand, addGroup, explain } from './command.ts';
import type { Surroundings } from './command.ts';
import type { GroupOptions } from './commands/events/consumer-group.ts';
import { positiveWhole } from './option-values.ts';

const deadHelp = `
Events whose handlers have failed as often as the consumer allows. REDIS_URL is
the Redis of the stream; see also \`feedmesh doctor\`.
`;

const retryHelp = `
The consumers of the group handle the events again within seconds, after later
events of the same collection. Events whose handlers succeed are removed.
`;

const placeHelp = `
The group then continues with the change after the cursor, whatever it has
handled. Use it to start over after a ChangeGapError, or to have changes
delivered again. Stop all consumers of the group first.
`;

const redisCode = { 69: 'Redis does not respond' };

/** Adds the commands for groups of consumers of change events. */
export function addEventCommands(program: Command, { io, finish }: Surroundings): void {
  const events = addGroup(program, 'events', 'dead events and places of groups of consumers', 'operation');

  groupCommand(addCommand(events, 'dead', 'list the dead events of a group'), deadHelp, [
    'feedmesh events dead billing',
    'feedmesh events dead billing -o json',
  ]).action(async (group: string, options: GroupOptions & { output: 'text' | 'json' }) => {
    const { listDead } = await import('./commands/events/dead.ts');
    finish(await listDead({ ...options, group }, io));
  });

  groupCommand(events.command('retry').description('handle dead events of a group again'), retryHelp, [
    'feedmesh events retry billing',
    'feedmesh events retry billing 0:1796000000000-0',
  ])
    .argument('[ids...]', 'the ids of the dead events (default: all)')
    .action(async (group: string, ids: string[], options: GroupOptions) => {
      const { retryDead } = await import('./commands/events/retry.ts');
      finish(await retryDead({ ...options, group, ids }, io));
    });

  groupCommand(
    events.command('set-place').description('set the change after which a group continues'),
    placeHelp,
    ['feedmesh events set-place billing todo 0000000000000042'],
    { 3: 'a consumer of the group is running' },
  )
    .argument('<collection>', 'the name of the collection')
    .argument('<cursor>', 'the cursor, 16 digits')
    .action(async (group: string, collection: string, cursor: string, options: GroupOptions) => {
      const { setGroupPlace } = await import('./commands/events/set-place.ts');
      finish(await setGroupPlace({ ...options, group, collection, cursor }, io));
    });
}

function groupCommand(
  command: Command,
  details: string,
  examples: readonly string[],
  exitCodes: Readonly<Partial<Record<3, string>>> = {},
): Command {
  return explain(command, 'operation', { details, examples, exitCodes: { ...exitCodes, ...redisCode } })
    .argument('<group>', 'the name of the group')
    .option('--partitions <number>', 'the number of partitions, STREAM_PARTITIONS', positiveWhole, 1);
}
