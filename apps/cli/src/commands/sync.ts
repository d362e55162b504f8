import { resolve } from 'node:path';
import { explainFeedUrl } from '#contracts';
import { CommandError, exitCode } from '../command-error.ts';
import type { ExitCode } from '../command-error.ts';
import type { Io } from '../io.ts';
import { openFetch } from '../open-fetch.ts';
import { lockFolder } from '../sync/lock-folder.ts';
import { Folder } from '../sync/folder.ts';
import { summaryLine } from '../sync/summary.ts';
import type { SyncSummary } from '../sync/summary.ts';
import { SyncState } from '../sync/sync-state.ts';
import { TreeSync } from '../sync/tree-sync.ts';
import type { SyncOptions } from '../sync/tree-sync.ts';
import { Output } from '../terminal/output.ts';
import { progressBar } from '../terminal/progress-bar.ts';
import { Progress } from '../terminal/progress.ts';
import { paint, printable } from '../terminal/text.ts';

export interface SyncArguments extends Omit<SyncOptions, 'root' | 'interruption'> {
  readonly url: string;
  readonly directory: string;
  /** How long one document may be. */
  readonly maximumFileBytes: number;
  /** Seconds that one document may take. */
  readonly timeout: number;
  /** Networks (CIDR) that may be reached although they are not public. */
  readonly allowNetwork: readonly string[];
  readonly output: 'text' | 'json';
}

/**
 * Brings a folder in step with a tree of feeds and the documents they link to (CSE, Sync Algorithm), and
 * prints a summary on stderr, or with `json` on stdout. Returns `violations` if parts of the tree failed,
 * or it was interrupted, and `unreadable` if its root did.
 * @throws CommandError (64) if the folder can't be used or an argument is wrong
 */
export async function sync(
  { url, directory, output: format, timeout, allowNetwork, maximumFileBytes, ...options }: SyncArguments,
  io: Io,
): Promise<ExitCode> {
  const root = rootOf(url);
  const folder = resolve(directory);
  const fetch = openFetch({
    allowNetworks: allowNetwork,
    totalSeconds: timeout,
    bodyBytes: maximumFileBytes,
    connectionsPerHost: options.parallelPerHost,
  });
  try {
    const release = lockFolder(folder);
    try {
      const progress = new Progress(io);
      const interruption = io.interruption();
      interruption.addEventListener('abort', () => void fetch.close(), { once: true });
      const files = new Folder(folder);
      const treeSync = new TreeSync(
        { ...options, root, interruption },
        files,
        new SyncState(files, root, options.maximumLinks),
        fetch,
      );
      const summary = await treeSync
        .run((state) => progress.show(progressBar(state)))
        .finally(() => progress.clear());
      await print(root, summary, format, io);
      if (!summary.rootRead) return exitCode.unreadable;
      return summary.failures.length > 0 || summary.interrupted ? exitCode.violations : exitCode.done;
    } finally {
      release();
    }
  } finally {
    await fetch.close();
  }
}

function rootOf(text: string): string {
  const fault = explainFeedUrl(text);
  if (fault !== undefined) throw new CommandError(`the URL of the root feed: ${fault}`, exitCode.usage);
  const url = new URL(text);
  url.hash = '';
  return url.href;
}

async function print(root: string, summary: SyncSummary, format: 'text' | 'json', io: Io): Promise<void> {
  if (format === 'text') {
    for (const { url, rule, line, column, reason, count } of summary.warnings) {
      const more = count === 1 ? '' : ` (${count} times)`;
      io.stderr.write(
        `${url}:${line}:${column}: ${paint(io, 'stderr', 'yellow', 'warning')}: ` +
          `${printable(reason)}${more} ${paint(io, 'stderr', 'dim', `[${rule}]`)}\n`,
      );
    }
    for (const { url, rule, reason } of summary.failures) {
      io.stderr.write(
        `${printable(url)}: ${paint(io, 'stderr', 'red', 'failed')}: ${printable(reason)} ` +
          `${paint(io, 'stderr', 'dim', `[${rule}]`)}\n`,
      );
    }
    io.stderr.write(`${summaryLine(root, summary)}\n`);
    return;
  }
  const output = new Output(io.stdout);
  await output.write(`${JSON.stringify({ url: root, ...summary })}\n`);
  await output.flush();
}
