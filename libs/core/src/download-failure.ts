import type { Violation } from '#xml';
import type { FetchError } from './http.ts';

/** Why a document could not be downloaded, or was not requested. */
export interface DownloadFailure {
  /** A short name that stays the same over versions, such as `http-status` or `limit-depth`. */
  readonly rule: string;
  /** One sentence. */
  readonly reason: string;
}

/** How messages name limits, and what each is called where it is set. */
export type LimitNames = readonly (readonly [name: string, setting: string])[];

/**
 * Why a document could not be downloaded: the server, the network or a limit (FetchError), or that it is no
 * feed within the limits (FeedError). The reason does not repeat the URL.
 */
export function downloadFailure(
  url: string,
  error: FetchError | { readonly violation: Violation },
  names: LimitNames,
): DownloadFailure {
  if ('violation' in error) {
    const { rule, line, column, message } = error.violation;
    return { rule, reason: `line ${line}, column ${column}: ${namingSettings(message, names)}` };
  }
  const { rule, message } = error;
  const reason = message.startsWith(`${url}: `) ? message.slice(url.length + 2) : message;
  return { rule, reason: namingSettings(reason, names) };
}

/** A sentence with its limits as they are called where they are set. */
export function namingSettings(reason: string, names: LimitNames): string {
  return names.reduce((text, [name, setting]) => text.replaceAll(name, setting), reason);
}
