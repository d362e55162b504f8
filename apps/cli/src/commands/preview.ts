import type { PreviewView } from '#contracts';
import { explainFeedUrl } from '#contracts';
import { CommandError, exitCode } from '../command-error.ts';
import type { ExitCode } from '../command-error.ts';
import type { Io } from '../io.ts';
import { violationLine } from '../feed/violation-line.ts';
import { Service } from '../service/service.ts';
import { ServiceProblemError } from '../service/service-error.ts';
import type { ServiceOptions } from '../service/service.ts';
import { Output } from '../terminal/output.ts';
import { count, printable } from '../terminal/text.ts';

export interface PreviewArguments extends ServiceOptions {
  readonly feed: string;
  /** How many items are shown. */
  readonly limit: number;
  readonly output: 'text' | 'json';
}

/**
 * Prints the items that a subscription to a feed would adopt or merge, one a line: date, title, link.
 * @throws as `Service` does; CommandError (64) for what is no URL, (2) for a feed that can't be read
 */
export async function preview(
  { feed, limit, output: format, ...options }: PreviewArguments,
  io: Io,
): Promise<ExitCode> {
  const fault = explainFeedUrl(feed);
  if (fault !== undefined) throw new CommandError(`the URL of the feed ${fault}`, exitCode.usage);
  const view = await read(new Service(options, io), { url: feed, limit });
  const output = new Output(io.stdout);
  if (format === 'json') await output.write(`${JSON.stringify(view)}\n`);
  else {
    for (const item of view.items) await output.write(`${lineOf(item)}\n`);
    for (const violation of view.violations)
      io.stderr.write(violationLine(io, 'stderr', view.url, violation));
    io.stderr.write(`${summaryOf(view)}\n`);
  }
  await output.flush();
  return exitCode.done;
}

async function read(service: Service, body: object): Promise<PreviewView> {
  try {
    return await service.json<PreviewView>('/v1/preview', { method: 'POST', body });
  } catch (error) {
    if (!(error instanceof ServiceProblemError) || error.rule !== 'preview-failed') throw error;
    throw new CommandError(error.message, exitCode.unreadable, { cause: error });
  }
}

function lineOf({ id, published = '', title = '', link = id }: PreviewView['items'][number]): string {
  return [published, title, link].map((text) => printable(text).replaceAll('\t', ' ')).join('\t');
}

function summaryOf({ url, page, itemCount, leftOut, isSynchronised, items }: PreviewView): string {
  const found = page === undefined ? '' : `, the feed of the page ${printable(page)}`;
  const verb = isSynchronised ? 'merge' : 'adopt';
  const shown = items.length < itemCount ? `; the first ${items.length} are shown` : '';
  const left = leftOut > 0 ? `, and leave out ${leftOut}` : '';
  const what = `a subscription would ${verb} ${count(itemCount, 'item')}`;
  return `${printable(url)}${found}: ${what}${left}${shown}`;
}
