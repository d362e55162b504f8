/**
 * What errors of Node and of the fetch standard may have; not every one of them is an instance of this
 * realm's `Error`.
 */
interface Failure {
  readonly name?: string;
  readonly code?: string;
  readonly message?: string;
  readonly stack?: string;
  readonly cause?: unknown;
  readonly errors?: readonly unknown[];
}

export function asFailure(error: unknown): Failure {
  return typeof error === 'object' && error !== null ? error : {};
}

/** The innermost reason of an error: on the outside, `fetch` says no more than "fetch failed". */
export function causeOf(error: unknown): string {
  const { cause, errors, message } = asFailure(error);
  const inner = cause ?? errors?.[0];
  return inner === undefined ? (message ?? String(error)) : causeOf(inner);
}

/** Whether an error is that of `AbortSignal.timeout`. */
export function isTimeout(error: unknown): boolean {
  return asFailure(error).name === 'TimeoutError';
}
