import type { FetchReportView } from '#contracts';
import { CommandError, exitCode } from '../command-error.ts';
import type { ExitCode } from '../command-error.ts';
import { progressText } from '../terminal/progress-bar.ts';
import { count } from '../terminal/text.ts';

/**
 * What a fetch came to, in words: `fetched: 12 items, 1 rejected; 2 items without synchronisation data were
 * left out`.
 */
export function outcomeText({ outcome, items, rejected = 0, plain = 0, progress }: FetchReportView): string {
  const parts = [
    progress === undefined ? items !== undefined && count(items, 'item') : progressText(progress),
    rejected > 0 && `${rejected.toLocaleString('en-US')} rejected`,
  ].filter((part) => part !== false);
  const leftOut =
    plain === 0
      ? ''
      : `; ${count(plain, 'item')} without synchronisation data ${plain === 1 ? 'was' : 'were'} left out`;
  return `${[outcome, ...(parts.length === 0 ? [] : [parts.join(', ')])].join(': ')}${leftOut}`;
}

/** What a command ends with whose feed was had: `violations` if some of it is missing. */
export function outcomeCode({ rejected = 0, progress }: FetchReportView): ExitCode {
  return rejected > 0 || (progress?.failed ?? 0) > 0 ? exitCode.violations : exitCode.done;
}

/** Throws CommandError (2) if the feed could not be fetched. */
export function checkFetched(url: string, { outcome, reason, rule }: FetchReportView): void {
  if (outcome === 'fetched' || outcome === 'not-modified') return;
  const why = reason ?? (outcome === 'gone' ? 'it is gone' : 'it failed');
  throw new CommandError(
    `${url} could not be fetched: ${why}${rule === undefined ? '' : ` [${rule}]`}`,
    exitCode.unreadable,
  );
}
