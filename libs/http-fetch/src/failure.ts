import { errors } from 'undici';
import { FetchError } from '#core';
import type { HttpFetchSettings } from './settings.ts';
import { httpFetchVariables } from './settings.ts';

/**
 * Whatever a request or its body threw, as a `FetchError`; one that is a `FetchError` already stays as it is.
 */
export function failureOf(error: unknown, settings: HttpFetchSettings): FetchError {
  if (error instanceof FetchError) return error;
  const [rule, message] = reasonOf(error, settings);
  return new FetchError(rule, message, { cause: error });
}

/** How much of an address an error repeats, in UTF-16 code units. */
const maximumShownUrl = 1000;

/** The same error with the address in front of its message, about the host of that address. */
export function located(error: FetchError, { href, host }: URL): FetchError {
  const shown = href.length > maximumShownUrl ? `${href.slice(0, maximumShownUrl)}…` : href;
  return new FetchError(error.rule, `${shown}: ${error.message}`, {
    host,
    cause: error.cause,
    ...(error.status !== undefined && { status: error.status }),
    ...(error.retryAfter !== undefined && { retryAfter: error.retryAfter }),
  });
}

function reasonOf(error: unknown, settings: HttpFetchSettings): [rule: string, message: string] {
  if (error instanceof errors.ConnectTimeoutError) {
    return [
      'http-timeout',
      `no connection within ${settings.connectSeconds} s (${httpFetchVariables.connectSeconds})`,
    ];
  }
  if (error instanceof errors.HeadersTimeoutError) {
    return [
      'http-timeout',
      `no header within ${settings.headersSeconds} s (${httpFetchVariables.headersSeconds})`,
    ];
  }
  if (error instanceof errors.HeadersOverflowError) {
    return [
      'header-too-large',
      `the header is larger than ${settings.headerBytes} bytes (${httpFetchVariables.headerBytes})`,
    ];
  }
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0], settings);
  return ['connection', error instanceof Error ? error.message : String(error)];
}
