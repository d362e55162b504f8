import { readFile } from 'node:fs/promises';

/**
 * The commands with which the README takes an operator from nothing to the first subscription, line by line.
 * Throws if there are not five.
 */
export async function operatorCommands(): Promise<string[]> {
  const readme = await readFile('README.md', 'utf8');
  const section = readme.slice(readme.indexOf('\n## Operate it\n'));
  const block = /\n```\n([^]*?)\n```\n/.exec(section)?.[1] ?? '';
  const commands = block.replaceAll(/ \\\n\s*/g, ' ').split('\n');
  if (commands.length !== 5)
    throw new Error(`the README must have five commands for operators; got ${block}`);
  return commands;
}

/** The same command with the addresses of this cluster in place of those of the example. */
export function fillIn(command: string, replacements: Readonly<Record<string, string>>): string {
  return Object.entries(replacements).reduce(
    (text, [example, own]) => text.replace(example, () => own),
    command,
  );
}
