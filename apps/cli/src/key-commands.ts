import type { Command } from 'commander';
import { addGroup } from './command.ts';
import type { Surroundings } from './command.ts';
import { oneOfSeveral, timeInUtc, wholeNumber } from './option-values.ts';
import { serviceCommand } from './service-command.ts';
import type { ServiceCommandOptions } from './service-command.ts';

const createHelp = `
Prints the key, which is kept nowhere else. A grant is permissions, a colon and
collections: a name, what names begin with and *, or * for all. Permissions are
read, write, resolve, subscribe, publish and admin, which includes the others.

--database writes to MongoDB instead of asking the service, for the first key of
an installation: it takes AUTH_SECRETS, and the addresses of \`feedmesh doctor\`.
`;

/** Adds the commands for keys of the HTTP interface. */
export function addKeyCommands(program: Command, { io, finish }: Surroundings): void {
  const keys = addGroup(program, 'keys', 'create, show, list, rotate or revoke keys of the API', 'operation');

  serviceCommand(keys, 'create', 'create a key, and print it', 'operation', {
    details: createHelp,
    examples: [
      "feedmesh keys create reporting --grant 'read:*'",
      "feedmesh keys create shop --grant 'read,write:orders-*' --expires 2027-01-01",
      "feedmesh keys create first --grant 'admin:*' --database",
    ],
    exitCodes: { 69: 'MongoDB does not respond (--database)' },
  })
    .argument('<name>', 'the program or the person that gets it')
    .requiredOption('--grant <permissions:collections>', 'what it permits; may be repeated', oneOfSeveral)
    .option('--expires <time>', 'when it expires, such as 2027-01-01', timeInUtc)
    .option('--subject <name>', 'the client certificate that stands for it, no key; only with admin:*')
    .option('--database', 'write to MongoDB directly', false)
    .action(
      async (
        name: string,
        options: ServiceCommandOptions & {
          grant: string[];
          subject?: string;
          expires?: string;
          database: boolean;
        },
      ) => {
        const { createKey } = await import('./commands/keys/create.ts');
        finish(await createKey({ name, ...options }, io));
      },
    );

  serviceCommand(keys, 'show', 'show whose key you use, what it permits and when it expires', 'operation', {
    examples: ['feedmesh keys show'],
  }).action(async (options: ServiceCommandOptions) => {
    const { showKey } = await import('./commands/keys/show.ts');
    finish(await showKey(options, io));
  });

  serviceCommand(keys, 'list', 'list the keys that your own key administers', 'operation', {
    examples: ['feedmesh keys list', 'feedmesh keys list -o json'],
  }).action(async (options: ServiceCommandOptions) => {
    const { listKeys } = await import('./commands/keys/list.ts');
    finish(await listKeys(options, io));
  });

  serviceCommand(keys, 'rotate', 'give a key another secret, and print it', 'operation', {
    details: 'The former one is accepted beside it for some time.',
    examples: ['feedmesh keys rotate 3f7a0c6b9d1e2f48 --overlap 86400'],
  })
    .argument('<id>', 'the id of the key')
    .option('--overlap <seconds>', 'how long the former secret is accepted', wholeNumber, 3600)
    .action(async (id: string, options: ServiceCommandOptions & { overlap: number }) => {
      const { rotateKey } = await import('./commands/keys/rotate.ts');
      finish(await rotateKey({ id, ...options }, io));
    });

  serviceCommand(keys, 'revoke', 'revoke a key', 'operation', {
    examples: ['feedmesh keys revoke 3f7a0c6b9d1e2f48'],
  })
    .argument('<id>', 'the id of the key')
    .action(async (id: string, options: ServiceCommandOptions) => {
      const { revokeKey } = await import('./commands/keys/revoke.ts');
      finish(await revokeKey({ id, ...options }, io));
    });
}
