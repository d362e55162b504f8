import type { Dice } from '../simulation/dice.ts';
import { request } from '../support/request.ts';

/** Milliseconds that a reader lives at most. */
const longestLife = 2000;

/** Ends a reader after a random time, or at the signal. */
export function briefLife(dice: Dice, signal: AbortSignal): AbortSignal {
  const life = new AbortController();
  // Nothing else holds on to the signal of `AbortSignal.timeout`, which may be collected before it aborts.
  setTimeout(() => life.abort(), dice.below(longestLife)).unref();
  return AbortSignal.any([signal, life.signal]);
}

/** A response of status 200; throws `CutError` if the gateway is not available. */
export async function responseOf(url: string, signal: AbortSignal): Promise<Response> {
  const response = await request(url, { signal });
  if (response.status === 200) return response;
  if (response.status === 503) throw new CutError(url);
  throw new Error(`${url}: ${response.status} ${await response.text()}`);
}

/** The gateway is not available. */
class CutError extends Error {}

/** Whether a request ended because its reader or the gateway did. */
export function isCut(error: unknown): boolean {
  const { name, message } = error as Error;
  if (error instanceof CutError || name === 'AbortError' || name === 'TimeoutError') return true;
  return name === 'TypeError' && ['fetch failed', 'terminated'].includes(message);
}
