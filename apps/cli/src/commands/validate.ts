import { exitCode } from '../command-error.ts';
import type { ExitCode } from '../command-error.ts';
import { violationLine, nameOfSource } from '../feed/violation-line.ts';
import { examineFeed } from '../feed/examine-feed.ts';
import type { Examination } from '../feed/examine-feed.ts';
import { openSource } from '../feed/source.ts';
import type { SourceLimits } from '../feed/source.ts';
import type { Io } from '../io.ts';
import { Output } from '../terminal/output.ts';
import { Progress } from '../terminal/progress.ts';
import { count } from '../terminal/text.ts';

interface ValidateArguments extends SourceLimits {
  readonly source: string;
  /** Warnings count as violations. */
  readonly strict?: boolean;
  readonly output: 'text' | 'json';
}

/**
 * Prints every violation of a feed, one a line, in the order of their places, and a summary on stderr, which
 * says how many items without synchronisation data a subscription would adopt, and which it would leave out.
 * @throws CommandError (2) if the feed can't be read
 */
export async function validate(
  { source, strict = false, output: format, ...limits }: ValidateArguments,
  io: Io,
): Promise<ExitCode> {
  const progress = new Progress(io);
  const bytes = await openSource(source, io, limits);
  const examination = await examineFeed(bytes, (items) =>
    progress.show(`${nameOfSource(source)}: ${count(items, 'item')}`),
  ).finally(() => progress.clear());
  const { violations } = examination;
  const errors = violations.filter(({ severity }) => severity === 'error').length;
  const warnings = violations.length - errors;
  const valid = errors === 0 && !(strict && warnings > 0);
  const output = new Output(io.stdout);
  if (format === 'json')
    await output.write(`${JSON.stringify({ source, valid, errors, warnings, ...examination })}\n`);
  else {
    for (const violation of violations) await output.write(violationLine(io, 'stdout', source, violation));
    const synced = `${examination.syncedItems.toLocaleString('en-US')} with sync data`;
    const items = `${count(examination.items, 'item')} (${synced})`;
    io.stderr.write(
      `${nameOfSource(source)}: ${valid ? 'valid' : 'not valid'}, ${items}, ${count(errors, 'error')}, ` +
        `${count(warnings, 'warning')}\n`,
    );
    for (const sentence of outlookOf(examination)) io.stderr.write(`${nameOfSource(source)}: ${sentence}\n`);
  }
  await output.flush();
  return valid ? exitCode.done : exitCode.violations;
}

/** What a subscription would do with the items that have no synchronisation data, a sentence for each. */
function outlookOf({
  document,
  format,
  syncedItems,
  plainItems,
  adoptedItems,
  leftOutItems,
  leftOutReasons,
}: Examination): readonly string[] {
  if (format === undefined || plainItems === 0) return [];
  const what = document.kind === format ? '' : `This is ${document.name}. `;
  const beside = syncedItems > 0 ? ' without synchronisation data' : '';
  const reasons = leftOutReasons.length > 0 ? leftOutReasons.join('; ') : 'no synchronisation data (sx:sync)';
  const others = plainItems - adoptedItems - leftOutItems;
  const repeat = others === 1 ? 'repeats another or is withdrawn' : 'repeat others or are withdrawn';
  return [
    `${what}A subscription would adopt ${count(adoptedItems, 'item')}${beside}.`,
    ...(leftOutItems > 0 ? [`${count(leftOutItems, 'item')} would be left out: ${reasons}.`] : []),
    ...(others > 0 ? [`${count(others, 'item')} ${repeat}.`] : []),
  ];
}
