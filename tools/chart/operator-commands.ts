import { readFile } from 'node:fs/promises';

/** The pages that take an operator from nothing to the first subscription, and the heading before that. */
const headings = {
  'README.md': '## Operate it',
  'docs/kubernetes.md': '## From nothing to the first subscription',
} as const;

export type CommandPage = keyof typeof headings;

export const commandPages = Object.keys(headings) as readonly CommandPage[];

/** The commands of a page, line by line. Throws if none of them installs the chart. */
export async function operatorCommands(page: CommandPage): Promise<string[]> {
  const text = await readFile(page, 'utf8');
  const section = text.slice(text.indexOf(`\n${headings[page]}\n`));
  const block = /\n```\n([^]*?)\n```\n/.exec(section)?.[1] ?? '';
  const commands = block.replaceAll(/ \\\n\s*/g, ' ').split('\n');
  if (!commands.some((command) => command.startsWith('helm install ')))
    throw new Error(`${page} must install the chart below "${headings[page]}"; got ${block}`);
  return commands;
}

/** What the command that installs the chart gives to Helm: release, chart and options. */
export function installArguments(commands: readonly string[]): string[] {
  const install = commands.find((command) => command.startsWith('helm install ')) ?? '';
  return install.split(' ').slice(2);
}
