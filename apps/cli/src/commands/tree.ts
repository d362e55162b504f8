import type { DocumentView } from '#contracts';
import { exitCode } from '../command-error.ts';
import type { ExitCode } from '../command-error.ts';
import type { Io } from '../io.ts';
import { linkText, reasonText, stateText } from '../service/link-text.ts';
import { readTree } from '../service/read-tree.ts';
import type { TreeBounds, TreeStep } from '../service/read-tree.ts';
import { collectionPath, Service } from '../service/service.ts';
import type { ServiceOptions } from '../service/service.ts';
import { Output } from '../terminal/output.ts';
import { paint, printable } from '../terminal/text.ts';

interface TreeArguments extends ServiceOptions, TreeBounds {
  readonly collection: string;
  /** The id of the feed to begin at. */
  readonly feed: string;
  readonly output: 'text' | 'json';
}

/**
 * Prints a tree of feeds (CSE) with the state of everything in it, nested feeds indented, and after it what
 * of a mirror could not be fetched; with `json` `{feeds, failed}`, where a feed comes before those that are
 * nested in it. Throws as `Service` does.
 */
export async function tree(
  { collection, feed, depth, maximumFeeds, output: format, ...options }: TreeArguments,
  io: Io,
): Promise<ExitCode> {
  const service = new Service(options, io);
  const output = new Output(io.stdout);
  const steps = readTree(service, collection, feed, { depth, maximumFeeds });
  const failed = service.list<DocumentView>(`${collectionPath(collection, 'documents')}?state=failed`);
  if (format === 'json') await printJson(steps, failed, output);
  else await printText(steps, failed, output, io);
  await output.flush();
  return exitCode.done;
}

async function printJson(
  steps: AsyncIterable<TreeStep>,
  failed: AsyncIterable<DocumentView>,
  output: Output,
): Promise<void> {
  let separator = '{"feeds":[\n';
  for await (const step of steps) {
    if (step.kind === 'item') continue;
    const { feed, depth, items } = step;
    await output.write(separator + JSON.stringify({ ...feed, depth, items }));
    separator = ',\n';
  }
  separator = '\n],"failed":[';
  for await (const document of failed) {
    await output.write(`${separator}\n${JSON.stringify(document)}`);
    separator = ',';
  }
  await output.write(separator === ',' ? '\n]}\n' : `${separator}]}\n`);
}

async function printText(
  steps: AsyncIterable<TreeStep>,
  failed: AsyncIterable<DocumentView>,
  output: Output,
  io: Io,
): Promise<void> {
  for await (const step of steps) await output.write(stepLines(step, io));
  let heading = 'could not be fetched:\n';
  for await (const { url, reason } of failed) {
    await output.write(
      `${heading}  ${printable(url)}${reason === undefined ? '' : `: ${reasonText(io, reason)}`}\n`,
    );
    heading = '';
  }
}

/** Nothing for a nested feed: the link that leads to it is there. */
function stepLines(step: TreeStep, io: Io): string {
  if (step.kind === 'feed') {
    const {
      depth,
      feed: { id, title, state },
    } = step;
    return depth > 0
      ? ''
      : `${paint(io, 'stdout', 'bold', printable(id))}: ${printable(title)} (${stateText(io, state)})\n`;
  }
  const {
    depth,
    item: { id, title = '', hidden, links },
    passedOver,
  } = step;
  const indent = '    '.repeat(depth);
  const isNested = (feed: string | undefined): boolean => feed !== undefined && passedOver !== undefined;
  const lines = [
    `  ${paint(io, 'stdout', 'bold', printable(id))}: ${printable(title)}${hidden ? ' (hidden)' : ''}`,
    ...links.map(
      (link, number) => `    ${number}: ${linkText(io, link)}${isNested(link.feed) ? `, ${passedOver}` : ''}`,
    ),
  ];
  return lines.map((line) => `${indent}${line}\n`).join('');
}
