import type { Command } from 'commander';
import { addCollectionCommands } from './collection-commands.ts';
import type { Surroundings } from './command.ts';
import { addDeadLetterCommands } from './dead-letter-commands.ts';
import { addItemCommands } from './item-commands.ts';
import { addSubscriptionCommands } from './subscription-commands.ts';
import { addTreeCommands } from './tree-commands.ts';

/** Adds the commands that ask a running Feedmesh. */
export function addServiceCommands(program: Command, surroundings: Surroundings): void {
  addCollectionCommands(program, surroundings);
  addItemCommands(program, surroundings);
  addSubscriptionCommands(program, surroundings);
  addTreeCommands(program, surroundings);
  addDeadLetterCommands(program, surroundings);
}
