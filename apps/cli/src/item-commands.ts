import { Option } from 'commander';
import type { Command } from 'commander';
import type { CommandHelp, Surroundings } from './command.ts';
import type { AddArguments } from './commands/add.ts';
import type { DeleteArguments } from './commands/delete.ts';
import type { EditArguments } from './commands/edit.ts';
import { attribute, oneOfSeveral, revision, versionToKeep, wholeNumber } from './option-values.ts';
import { serviceCommand } from './service-command.ts';
import type { ServiceCommandOptions } from './service-command.ts';

const jsonHelp = `
--json takes an item, or a part of one, as \`feedmesh item -o json\` prints it;
the other options go before it. What only the service can say (sync, conflicts,
dates) is ignored.
`;

const editHelp = `
Only the named fields change. Without --if-match the edit is made to whatever
the item has become; an item from --json that has a revision is only changed
at that revision.
`;

const undeleteHelp = `
The item comes back with its last content, changed by the given options. If its
data was removed, give it new content.
`;

const deleteHelp = `
An outline is deleted with the outlines in it. If there are many, the service
deletes them step by step; the command waits for it, and on a terminal a bar
shows how far it is. Ctrl-C ends the command alone.
`;

const changedCode = { 4: 'the item has another revision than the one given (--if-match)' };

type ChangeOptions = ServiceCommandOptions & Omit<EditArguments, 'collection' | 'id'>;

/** Adds the commands for items. */
export function addItemCommands(program: Command, { io, finish }: Surroundings): void {
  const itemCommand = (name: string, description: string, help: CommandHelp): Command =>
    serviceCommand(program, name, description, 'items', help)
      .argument('<collection>', 'the name of the collection')
      .argument('<id>', 'the id of the item');

  itemCommand('item', 'show an item with its history and conflicts, or with its links', {
    examples: ['feedmesh item todo groceries', 'feedmesh item todo groceries -o json'],
  }).action(async (collection: string, id: string, options: ServiceCommandOptions) => {
    const { item } = await import('./commands/item.ts');
    finish(await item({ collection, id, ...options }, io));
  });

  const add = serviceCommand(program, 'add', 'add an item to a collection', 'items', {
    details: jsonHelp,
    examples: [
      'feedmesh add todo --id groceries --title "Buy groceries" --content "Milk, eggs"',
      'feedmesh add news --title "Bridge opens" --file bridge.html --content-type html',
      'feedmesh add reading --attribute text=News --attribute xmlUrl=https://example.org/feed',
      'feedmesh item todo groceries -o json | feedmesh add archive --json -',
    ],
    exitCodes: { 2: 'a file could not be read' },
  })
    .argument('<collection>', 'the name of the collection')
    .option('--id <id>', 'the id of the item (default: made by the service)')
    .action(async (collection: string, options: ServiceCommandOptions & Omit<AddArguments, 'collection'>) => {
      const { add: addItem } = await import('./commands/add.ts');
      finish(await addItem({ collection, ...options }, io));
    });
  contentOptions(add);

  const edit = itemCommand('edit', 'change an item', {
    details: editHelp + jsonHelp,
    examples: [
      'feedmesh edit todo groceries --content "Milk, eggs and butter"',
      'feedmesh edit todo groceries --title Shopping --unset link --if-match 3',
      'feedmesh edit reading news --parent root --position 0',
      'pandoc notes.md | feedmesh edit todo notes --file - --content-type html',
    ],
    exitCodes: { 2: 'a file could not be read', ...changedCode },
  }).action(async (collection: string, id: string, options: ChangeOptions) => {
    const { edit: editItem } = await import('./commands/edit.ts');
    finish(await editItem({ collection, id, ...options }, io));
  });
  changeOptions(edit);

  itemCommand('delete', 'delete an item; its tombstone stays', {
    details: deleteHelp,
    examples: [
      'feedmesh delete todo groceries',
      'feedmesh delete todo groceries --data remove --if-match 3',
      'feedmesh delete reading folder --children keep',
    ],
    exitCodes: { 1: 'not everything in an outline is deleted, or not yet', ...changedCode },
  })
    .option('--if-match <revision>', 'delete the item only at this revision', revision)
    .addOption(
      new Option(
        '--data <choice>',
        'what to do with the data of the item (default: as the collection says)',
      ).choices(['remove', 'keep']),
    )
    .addOption(
      new Option(
        '--children <choice>',
        'what to do with the outlines in an outline (default: delete)',
      ).choices(['delete', 'keep']),
    )
    .action(
      async (
        collection: string,
        id: string,
        options: ServiceCommandOptions & Pick<DeleteArguments, 'ifMatch' | 'data' | 'children'>,
      ) => {
        const { deleteItem } = await import('./commands/delete.ts');
        finish(await deleteItem({ collection, id, ...options }, io));
      },
    );

  const undelete = itemCommand('undelete', 'bring a deleted item back', {
    details: undeleteHelp + jsonHelp,
    examples: [
      'feedmesh undelete todo groceries',
      'feedmesh undelete todo groceries --title "Buy groceries again"',
    ],
    exitCodes: { 2: 'a file could not be read', ...changedCode },
  }).action(async (collection: string, id: string, options: ChangeOptions) => {
    const { undelete: undeleteItem } = await import('./commands/undelete.ts');
    finish(await undeleteItem({ collection, id, ...options }, io));
  });
  changeOptions(undelete);

  serviceCommand(program, 'conflicts', 'list the items in conflict', 'items', {
    examples: ['feedmesh conflicts', 'feedmesh conflicts todo -o json'],
  })
    .argument('[collection]', 'the name of a collection (default: all that you can read)')
    .action(async (collection: string | undefined, options: ServiceCommandOptions) => {
      const { conflicts } = await import('./commands/conflicts.ts');
      finish(await conflicts({ ...(collection !== undefined && { collection }), ...options }, io));
    });

  itemCommand('resolve', 'resolve all conflicts of an item', {
    examples: [
      'feedmesh resolve todo groceries --keep winner',
      'feedmesh resolve todo groceries --keep 0 --if-match 4',
    ],
    exitCodes: changedCode,
  })
    .requiredOption(
      '--keep <version>',
      '"winner", or the number of a conflict as `feedmesh item` shows it',
      versionToKeep,
    )
    .option('--revision, --if-match <revision>', 'resolve the conflicts only at this revision', revision)
    .action(
      async (
        collection: string,
        id: string,
        options: ServiceCommandOptions & { keep: 'winner' | number; ifMatch?: number },
      ) => {
        const { resolve } = await import('./commands/resolve.ts');
        finish(await resolve({ collection, id, ...options }, io));
      },
    );
}

/** The options that say what is in an item. */
function contentOptions(command: Command): Command {
  return command
    .option('--title <text>', 'the title')
    .addOption(new Option('--content <text>', 'the content').conflicts('file'))
    .option('--file <file>', 'read the content from a file, or from stdin (-)')
    .addOption(
      new Option('--content-type <type>', 'how the content is marked up').choices(['text', 'html', 'xhtml']),
    )
    .option('--summary <text>', 'the summary')
    .option('--link <url>', 'the URL of what the item is about')
    .option('--category <name>', 'a category; can be repeated', oneOfSeveral)
    .option('--rights <text>', 'the rights')
    .option('--attribute <name=value>', 'an attribute of an outline; can be repeated', attribute)
    .option('--payload <xml>', 'further child elements')
    .option('--parent <id>', 'the outline to place the item in, or root')
    .option('--position <number>', 'its position among the items there, from 0', wholeNumber)
    .option('--json <file>', 'read the item as JSON from a file, or from stdin (-)');
}

/** The options that say what changes of an item. */
function changeOptions(command: Command): Command {
  return contentOptions(command)
    .option('--unset <field>', 'a field to remove, such as summary; can be repeated', oneOfSeveral)
    .option('--if-match <revision>', 'make the change only at this revision', revision);
}
