import { Argument, InvalidArgumentError, Option } from 'commander';
import type { Command } from 'commander';
import type { RedisRole } from '#queue';
import { explain } from './command.ts';
import type { Surroundings } from './command.ts';

const roles: readonly RedisRole[] = ['services', 'producer', 'consumer'];

const aclHelp = `
Prints a user for an ACL file of Redis 7.0 or Valkey. No service is needed.

  services   the four services
  producer   a team that puts jobs into the queue "commands" with BullMQ
  consumer   a team that reads change events from the stream

The password comes from a file or stdin; without --password one is made, and
goes to stderr. It is kept nowhere: the user has its SHA-256.

Anyone who reaches Redis may do everything as the user "default", until it has a
password or the line "user default off" is in the ACL file.
`;

/** Adds the command that prints users of Redis. */
export function addRedisCommands(program: Command, { io, finish }: Surroundings): void {
  explain(
    program.command('redis-acl').description('print a user of Redis that may do what its role needs'),
    'operation',
    {
      details: aclHelp,
      examples: [
        'feedmesh redis-acl services >> users.acl',
        'feedmesh redis-acl producer --user shop --password shop.txt >> users.acl',
        'feedmesh redis-acl consumer --group search --format commands | redis-cli',
      ],
      exitCodes: { 2: 'the password could not be read' },
    },
  )
    .addArgument(new Argument('<role>', 'what the user is for').choices(roles))
    .option('--user <name>', 'its name (feedmesh-ROLE)', userName)
    .option('--group <name>', 'the group that a consumer reads for (any)', groupName)
    .option('--password <file>', 'the file with its password, - for stdin')
    .addOption(
      new Option('--format <format>', 'lines for an ACL file, or ACL SETUSER')
        .choices(['file', 'commands'])
        .default('file'),
    )
    .action(
      async (
        role: RedisRole,
        options: { user?: string; group?: string; password?: string; format: 'file' | 'commands' },
      ) => {
        const { redisAcl } = await import('./commands/redis-acl.ts');
        finish(await redisAcl({ role, ...options }, io));
      },
    );
}

/** Reads the name of a user. Throws InvalidArgumentError. */
function userName(text: string): string {
  if (!/^[\w.@-]{1,100}$/.test(text))
    throw new InvalidArgumentError('It must have 1 to 100 letters, digits, or characters of _ . @ -');
  return text;
}

/** Reads the name of a group, without what is special in a pattern of keys. Throws InvalidArgumentError. */
function groupName(text: string): string {
  if (!/^[\w.:@-]{1,100}$/.test(text))
    throw new InvalidArgumentError('It must have 1 to 100 letters, digits, or characters of _ . : @ -');
  return text;
}
