import type { AnyItemView } from '#contracts';
import type { Io } from '../io.ts';
import { Output } from '../terminal/output.ts';
import { formatTable } from '../terminal/table.ts';
import { count, indented, paint, printable } from '../terminal/text.ts';
import { timeText } from '../terminal/time.ts';
import { actorText } from './actor-text.ts';
import { shownVersion } from './shown-version.ts';
import type { ShownVersion } from './shown-version.ts';
import { treeItemText } from './tree-item-text.ts';

/**
 * Prints one item: as the JSON of the answer, or for people, with its history and each conflict under its
 * number, or its links.
 */
export async function printItem(item: AnyItemView, format: 'text' | 'json', io: Io): Promise<void> {
  const output = new Output(io.stdout);
  if (format === 'json') await output.write(`${JSON.stringify(item)}\n`);
  else if ('links' in item) await output.write(treeItemText(item, io));
  else {
    const shown = shownVersion(item);
    const fields = { ...shown.fields, ...(item.actor && { 'edited by': actorText(item.actor) }) };
    await output.write(describe({ ...shown, fields }, item.id, io));
    for (const [number, conflict] of item.conflicts.entries())
      await output.write(`\n${describe(shownVersion(conflict), `conflict ${number}`, io)}`);
    if (item.conflicts.length > 0)
      await output.write(
        `\n${count(item.conflicts.length, 'conflict')}; to resolve: feedmesh resolve COLLECTION ID ` +
          `--if-match ${item.revision} --keep winner (or the number of a conflict)\n`,
      );
  }
  await output.flush();
}

function describe({ title, state, fields, numbering, history }: ShownVersion, label: string, io: Io): string {
  const lines = [
    `${paint(io, 'stdout', 'bold', printable(label))}: ${printable(title)} (${state.join(', ')})\n`,
    ...Object.entries(fields).flatMap(([name, value]) =>
      value === undefined ? [] : [`  ${printable(name)}: ${indented(value)}\n`],
    ),
    ...formatTable(
      io,
      [numbering, 'WHEN', 'BY'],
      history.map(([number, when, by]) => [number, timeText(io, when), by]),
    )
      .split(/(?<=\n)/)
      .map((line) => `  ${line}`),
  ];
  return lines.join('');
}
