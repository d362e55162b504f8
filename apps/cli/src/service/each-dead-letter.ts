import { CommandError, exitCode } from '../command-error.ts';
import type { ExitCode } from '../command-error.ts';
import type { Io } from '../io.ts';
import { Output } from '../terminal/output.ts';
import { count, printable } from '../terminal/text.ts';
import { deadLetters } from './dead-letters.ts';
import { ServiceProblemError } from './service-error.ts';
import { Service } from './service.ts';
import type { ServiceOptions } from './service.ts';

export interface DeadLettersArguments extends ServiceOptions {
  readonly ids: readonly string[];
  /** Whether all are meant, rather than those of `ids`. */
  readonly all: boolean;
  /** With `all`: of which collection. */
  readonly collection?: string;
  readonly output: 'text' | 'json';
}

/** What became of one dead letter. */
interface Outcome {
  readonly id: string;
  /** Why it was refused. */
  readonly reason?: string;
}

/**
 * Does the same with each of the named dead letters, or with all, and prints what became of them. One that is
 * refused does not keep the others; it makes the exit code 1.
 * @param done the participle: `retried`
 * @throws as `Service` does if it can't be reached; CommandError (64) without a name and without `all`, or
 * with both
 */
export async function eachDeadLetter(
  done: string,
  { ids, all, collection, output: format, ...options }: DeadLettersArguments,
  perform: (service: Service, id: string) => Promise<void>,
  io: Io,
): Promise<ExitCode> {
  if (all === ids.length > 0)
    throw new CommandError('name dead letters by their ids, or all of them with --all', exitCode.usage);
  if (collection !== undefined && !all)
    throw new CommandError('--collection goes with --all', exitCode.usage);
  const service = new Service(options, io);
  const output = new Output(io.stdout);
  const outcomes: Outcome[] = [];
  for (const id of all ? await idsOf(service, collection) : ids) {
    const reason = await refusalOf(perform(service, id));
    outcomes.push({ id, ...(reason !== undefined && { reason }) });
    if (format === 'text' && reason !== undefined) io.stderr.write(`${printable(id)}: ${reason}\n`);
    else if (format === 'text') await output.write(`${printable(id)}: ${done}\n`);
  }
  const refused = outcomes.filter(({ reason }) => reason !== undefined).length;
  if (format === 'json') await output.write(`${JSON.stringify(outcomes)}\n`);
  else if (all)
    io.stderr.write(
      `${count(outcomes.length - refused, 'dead letter')} ${done}, ${refused.toLocaleString('en-US')} ` +
        'refused\n',
    );
  await output.flush();
  return refused > 0 ? exitCode.violations : exitCode.done;
}

/** All are read first: those which are removed meanwhile would shift the pages. */
async function idsOf(service: Service, collection: string | undefined): Promise<string[]> {
  const ids: string[] = [];
  for await (const { id } of deadLetters(service, collection)) ids.push(id);
  return ids;
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
