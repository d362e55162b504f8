import { UnavailableError } from '#core';
import { FetchOverError, RaceError } from './write-items.ts';

/**
 * Does some work with several values at once. If it fails twice in the same way, it is done with each half of
 * them by itself, until the values are found that it fails with alone: they are refused, and it is done with
 * all the others.
 * @param work may be done again, also after it was done in part
 * @param refuse takes a value that the work fails with alone, and the error
 * @throws what `work` throws for a reason that lies in no value: `UnavailableError`, `RaceError`,
 *   `FetchOverError`, or an error that does not come back the same
 */
export async function isolate<Value>(
  values: readonly Value[],
  work: (values: readonly Value[]) => Promise<void>,
  refuse: (value: Value, error: unknown) => Promise<void>,
): Promise<void> {
  const waiting = [values];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const failure = await failureOf(work, next);
    if (failure === undefined) continue;
    const [value, ...others] = next;
    const middle = next.length >> 1;
    if (others.length > 0) waiting.push(next.slice(middle), next.slice(0, middle));
    else if (value !== undefined) await refuse(value, failure.error);
  }
}

/** The error that the work fails with, and fails with again; undefined if it is done. */
async function failureOf<Value>(
  work: (values: readonly Value[]) => Promise<void>,
  values: readonly Value[],
): Promise<{ readonly error: unknown } | undefined> {
  const attempt = async (): Promise<{ readonly error: unknown } | undefined> => {
    try {
      await work(values);
      return undefined;
    } catch (error) {
      if (isOfNoValue(error)) throw error;
      return { error };
    }
  };
  const first = await attempt();
  const second = first && (await attempt());
  if (first !== undefined && second !== undefined && signatureOf(first.error) !== signatureOf(second.error))
    throw second.error;
  return second;
}

function isOfNoValue(error: unknown): boolean {
  return error instanceof UnavailableError || error instanceof RaceError || error instanceof FetchOverError;
}

/** What an error says but for its numbers, which may be times or counts. */
function signatureOf(error: unknown): string {
  return String(error).replace(/\d+(?:\.\d+)?(?:e[+-]?\d+)?/g, '0');
}
