import type { Failure } from '#cse';
import { FeedError } from '#xml';
import { httpFetchVariables } from '#http-fetch';
import { downloadFailure, FetchError, namingSettings } from '#core';
import type { LimitNames } from '#core';
import { FileConflictError } from './folder.ts';

/** A limit of this command line was passed; `option` is where it is set. */
export class LimitError extends Error {
  override readonly name = 'LimitError';
  readonly rule: string;

  constructor(rule: string, message: string, option: string) {
    super(`${message} (${option})`);
    this.rule = rule;
  }
}

/** What limits of other modules are called on this command line. */
const options: LimitNames = [
  ['limit "depth"', '--maximum-depth'],
  ['limit "documents"', '--maximum-files'],
  ['limit "links"', '--maximum-links'],
  ['limit "bytes"', '--maximum-bytes'],
  [httpFetchVariables.allowNetworks, '--allow-network'],
  [httpFetchVariables.bodyBytes, '--maximum-file-bytes'],
  [httpFetchVariables.totalSeconds, '--timeout'],
];

/**
 * An error in the words of this command line. One that is neither the document's, its server's nor the file
 * system's is thrown on.
 */
export function failureOf(url: string, error: unknown): Failure {
  if (error instanceof FeedError) return { url, ...downloadFailure(url, error, []) };
  if (error instanceof FetchError) return { url, ...downloadFailure(url, error, options) };
  if (error instanceof LimitError || error instanceof FileConflictError)
    return { url, rule: error.rule, reason: error.message };
  if (error instanceof Error && 'syscall' in error) return { url, rule: 'file-write', reason: error.message };
  throw error;
}

/** A sentence with the limits that it names as they are called on this command line. */
export function inOptions(reason: string): string {
  return namingSettings(reason, options);
}
