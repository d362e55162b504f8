import type { Command } from 'commander';
import { addGroup } from './command.ts';
import type { Surroundings } from './command.ts';
import { oneOfSeveral, setting } from './option-values.ts';
import { serviceCommand } from './service-command.ts';
import type { ServiceCommandOptions } from './service-command.ts';

type Limits = { readonly limit?: Readonly<Record<string, unknown>> };

const limitHelp = `
Limits are collections, subscriptions, items, bytes, files, requestsPerSecond,
eventStreams and fetchesPerMinute; one that is not given is as the settings say.
`;

/** Adds the commands for tenants, who have collections and keys of their own. */
export function addTenantCommands(program: Command, { io, finish }: Surroundings): void {
  const summary = 'create, list, limit, suspend or remove tenants';
  const tenants = addGroup(program, 'tenants', summary, 'operation');

  serviceCommand(tenants, 'list', 'list the tenants', 'operation', {
    examples: ['feedmesh tenants list', 'feedmesh tenants list -o json'],
  }).action(async (options: ServiceCommandOptions) => {
    const { listTenants } = await import('./commands/tenants/list.ts');
    finish(await listTenants(options, io));
  });

  serviceCommand(tenants, 'show', 'show a tenant, its limits and what it uses', 'operation', {
    examples: ['feedmesh tenants show acme'],
  })
    .argument('<name>', 'the name of the tenant')
    .action(async (name: string, options: ServiceCommandOptions) => {
      const { showTenant } = await import('./commands/tenants/show.ts');
      finish(await showTenant({ name, ...options }, io));
    });

  serviceCommand(tenants, 'create', 'create a tenant', 'operation', {
    details: `${limitHelp}
feedmesh keys create acme-admin --grant 'admin:acme.*' makes a key for it.
`,
    examples: ['feedmesh tenants create acme --limit collections=20 --limit items=100000'],
    exitCodes: { 3: 'the service refused (there may be such a tenant), or could not be reached' },
  })
    .argument('<name>', 'the name, with which the names of its collections begin')
    .option('--limit <name=number>', 'a limit; can be repeated', setting)
    .action(async (name: string, options: ServiceCommandOptions & Limits) => {
      const { createTenant } = await import('./commands/tenants/create.ts');
      finish(await createTenant({ name, ...options }, io));
    });

  serviceCommand(tenants, 'set', 'change the limits of a tenant', 'operation', {
    details: limitHelp,
    examples: ['feedmesh tenants set acme --limit bytes=10000000000 --unset files'],
  })
    .argument('<name>', 'the name of the tenant')
    .option('--limit <name=number>', 'a limit; can be repeated', setting)
    .option('--unset <name>', 'a limit to take away; can be repeated', oneOfSeveral)
    .action(
      async (
        name: string,
        options: ServiceCommandOptions & Limits & { readonly unset?: readonly string[] },
      ) => {
        const { changeTenant } = await import('./commands/tenants/change.ts');
        finish(await changeTenant({ name, ...options }, io));
      },
    );

  for (const suspended of [true, false]) {
    const [verb, does] = suspended
      ? ['suspend', 'refuse all requests and commands about the collections of a tenant']
      : ['resume', 'take requests and commands of a suspended tenant again'];
    serviceCommand(tenants, verb, does, 'operation', { examples: [`feedmesh tenants ${verb} acme`] })
      .argument('<name>', 'the name of the tenant')
      .action(async (name: string, options: ServiceCommandOptions) => {
        const { changeTenant } = await import('./commands/tenants/change.ts');
        finish(await changeTenant({ name, suspended, ...options }, io));
      });
  }

  serviceCommand(tenants, 'remove', 'remove a tenant that has no collections', 'operation', {
    examples: ['feedmesh tenants remove acme'],
  })
    .argument('<name>', 'the name of the tenant')
    .action(async (name: string, options: ServiceCommandOptions) => {
      const { removeTenant } = await import('./commands/tenants/remove.ts');
      finish(await removeTenant({ name, ...options }, io));
    });
}
