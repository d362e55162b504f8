import type { Command } from 'commander';
import { addGroup } from './command.ts';
import type { Surroundings } from './command.ts';
import { serviceCommand } from './service-command.ts';
import type { ServiceCommandOptions } from './service-command.ts';

interface SelectionOptions extends ServiceCommandOptions {
  readonly all: boolean;
  readonly collection?: string;
  readonly rule?: string;
}

const refusedCode = { 1: 'some were refused; the reasons are on stderr' };

/** Adds the commands for what was rejected. */
export function addDeadLetterCommands(program: Command, { io, finish }: Surroundings): void {
  const letters = addGroup(
    program,
    'dead-letters',
    'list, retry or discard items and commands that were rejected',
    'operation',
  );

  serviceCommand(letters, 'list', 'list the dead letters with rule, place and reason', 'operation', {
    details: 'The place is line:column in the feed. With -o json: all reasons, and what was\nrejected.',
    examples: ['feedmesh dead-letters list', 'feedmesh dead-letters list --collection todo -o json'],
  })
    .option('--collection <collection>', 'only those of this collection')
    .option('--rule <rule>', 'only those that this rule was broken for')
    .action(async (options: ServiceCommandOptions & { collection?: string; rule?: string }) => {
      const { listDeadLetters } = await import('./commands/dead-letters/list.ts');
      finish(await listDeadLetters(options, io));
    });

  const onSelection = (name: string, description: string): Command =>
    serviceCommand(letters, name, description, 'operation', {
      examples: [
        `feedmesh dead-letters ${name} todo.3f9a1c`,
        `feedmesh dead-letters ${name} --all --collection todo`,
        `feedmesh dead-letters ${name} --all --rule limit-item-depth`,
      ],
      exitCodes: refusedCode,
    })
      .argument('[ids...]', 'the ids of the dead letters')
      .option('--all', 'all of them', false)
      .option('--collection <collection>', 'with --all: only those of this collection')
      .option('--rule <rule>', 'with --all: only those that this rule was broken for');
  onSelection('retry', 'merge or run dead letters again; those that succeed are removed').action(
    async (ids: string[], options: SelectionOptions) => {
      const { retryDeadLetters } = await import('./commands/dead-letters/retry.ts');
      finish(await retryDeadLetters({ ids, ...options }, io));
    },
  );
  onSelection('discard', 'remove dead letters for good').action(
    async (ids: string[], options: SelectionOptions) => {
      const { discardDeadLetters } = await import('./commands/dead-letters/discard.ts');
      finish(await discardDeadLetters({ ids, ...options }, io));
    },
  );
}
