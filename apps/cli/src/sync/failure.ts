import { FeedError } from '#xml';
import { httpFetchVariables } from '#http-fetch';
import { FetchError } from '#core';

/** Why a document could not be synchronised. */
export interface Failure {
  readonly url: string;
  /** A short name that stays the same over versions. */
  readonly rule: string;
  readonly reason: string;
}

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
const options: readonly (readonly [name: string, option: string])[] = [
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
  if (error instanceof FeedError)
    return {
      url,
      rule: error.violation.rule,
      reason: `line ${error.violation.line}, column ${error.violation.column}: ${error.violation.message}`,
    };
  if (error instanceof LimitError) return { url, rule: error.rule, reason: error.message };
  if (error instanceof FetchError)
    return { url, rule: error.rule, reason: inOptions(withoutAddress(url, error.message)) };
  if (error instanceof Error && 'syscall' in error) return { url, rule: 'file-write', reason: error.message };
  throw error;
}

function withoutAddress(url: string, message: string): string {
  return message.startsWith(`${url}: `) ? message.slice(url.length + 2) : message;
}

/** A sentence with the limits that it names as they are called on this command line. */
export function inOptions(reason: string): string {
  return options.reduce((text, [name, option]) => text.replaceAll(name, option), reason);
}
