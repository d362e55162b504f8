import { FetchError } from '#core';
import type { Target } from './target.ts';

/** Whether a request carried credentials: `dropped` on the way to another origin. */
export type CredentialsSent = 'none' | 'sent' | 'dropped';

/** Whether the last request of a fetch carried the credentials of the first one. */
export function credentialsSent(first: Target, last: Target): CredentialsSent {
  if (Object.keys(last.credentials).length > 0) return 'sent';
  return Object.keys(first.credentials).length > 0 ? 'dropped' : 'none';
}

const rules: ReadonlyMap<number, string> = new Map([
  [401, 'unauthorized'],
  [403, 'forbidden'],
  [410, 'gone'],
]);

const hints = {
  none: 'the request carried no credentials',
  sent: 'it does not accept the credentials',
  dropped: 'it is of another origin than the feed, so the credentials were not sent to it',
} as const;

/** A status that is no document, as an error; one of 401 and 403 says what became of the credentials. */
export function statusError(
  status: number,
  credentials: CredentialsSent,
  retryAfter: number | undefined,
): FetchError {
  const hint = status === 401 || status === 403 ? `: ${hints[credentials]}` : '';
  return new FetchError(rules.get(status) ?? 'http-status', `the server responded with ${status}${hint}`, {
    status,
    retryAfter,
  });
}
