import { CommandError, exitCode } from '../command-error.ts';
import type { ExitCode } from '../command-error.ts';
import type { Io } from '../io.ts';
import { Output } from '../terminal/output.ts';
import { printable } from '../terminal/text.ts';
import type { DeadLetterFilter } from './dead-letters.ts';
import { ServiceProblemError } from './service-error.ts';
import { Service } from './service.ts';
import type { ServiceOptions } from './service.ts';

export interface DeadLettersArguments extends ServiceOptions, DeadLetterFilter {
  readonly ids: readonly string[];
  /** Whether all that the filter is for are meant, rather than those of `ids`. */
  readonly all: boolean;
  readonly output: 'text' | 'json';
}

/** What became of one dead letter. */
interface Outcome {
  readonly id: string;
  /** Why it was refused. */
  readonly reason?: string;
}

/** Throws CommandError (64) without an id and without `all`, or with both. */
export function checkSelection({ ids, all, collection, rule }: DeadLettersArguments): void {
  if (all === ids.length > 0)
    throw new CommandError('name dead letters by their ids, or all of them with --all', exitCode.usage);
  if (!all && (collection ?? rule) !== undefined)
    throw new CommandError('--collection and --rule go with --all', exitCode.usage);
}

/**
 * Does the same with each of the named dead letters, and prints what became of them. One that is refused does
 * not keep the others; it makes the exit code 1. Throws as `Service` does if it can't be reached.
 * @param done the participle: `retried`
 */
export async function eachDeadLetter(
  done: string,
  { ids, output: format, ...options }: DeadLettersArguments,
  perform: (service: Service, id: string) => Promise<void>,
  io: Io,
): Promise<ExitCode> {
  const service = new Service(options, io);
  const output = new Output(io.stdout);
  const outcomes: Outcome[] = [];
  for (const id of ids) {
    const reason = await refusalOf(perform(service, id));
    outcomes.push({ id, ...(reason !== undefined && { reason }) });
    if (format === 'text' && reason !== undefined) io.stderr.write(`${printable(id)}: ${reason}\n`);
    else if (format === 'text') await output.write(`${printable(id)}: ${done}\n`);
  }
  const refused = outcomes.filter(({ reason }) => reason !== undefined).length;
  if (format === 'json') await output.write(`${JSON.stringify(outcomes)}\n`);
  await output.flush();
  return refused > 0 ? exitCode.violations : exitCode.done;
}

async function refusalOf(performed: Promise<void>): Promise<string | undefined> {
  try {
    await performed;
    return undefined;
  } catch (error) {
    if (error instanceof ServiceProblemError && error.status < 500) return error.message;
    throw error;
  }
}
