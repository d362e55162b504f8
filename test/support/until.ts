import { setTimeout as wait } from 'node:timers/promises';
import { inspect } from 'node:util';

/**
 * How long a condition may take, in milliseconds. It only stops a hang, so it is far beyond what a loaded
 * machine needs. It is less than jest's own limit (`testTimeout`), so that the message says what was last
 * read.
 */
export const hangLimit = 300_000;

/** Milliseconds between two reads, at least. */
const pause = 20;

/** What takes long to read is read again after this time, or after the time that it took. */
const longPause = 500;

type Reader<Read> = () => Promise<Read> | Read;
type Condition<Read> = (read: Read) => boolean;

/**
 * Reads again and again until what was read meets the condition, and returns it. Most of the time it does
 * not read, so that the wait does not take the processor from what is waited for.
 * @param read its errors end the wait
 * @param holds by default whether what was read is neither undefined nor false
 * @throws Error with the condition and what was last read, after `limit` milliseconds
 */
export async function until<Read>(read: Reader<Read | undefined | false>): Promise<Read>;
export async function until<Read>(read: Reader<Read>, holds: Condition<Read>, limit?: number): Promise<Read>;
export async function until<Read>(
  read: Reader<Read>,
  holds?: Condition<Read>,
  limit = hangLimit,
): Promise<Read> {
  const isMet = holds ?? ((found: Read): boolean => found !== undefined && found !== false);
  for (const deadline = performance.now() + limit; ;) {
    const begun = performance.now();
    const found = await read();
    if (isMet(found)) return found;
    const ended = performance.now();
    if (ended > deadline) {
      const condition = String(holds ?? read);
      throw new Error(`not within ${limit / 1000} s: ${condition}; last read: ${describe(found)}`);
    }
    await wait(Math.max(pause, ended - begun, Math.min(4 * (ended - begun), longPause)));
  }
}

/** What was read, cut to a length that a person reads. */
function describe(found: unknown): string {
  const text = inspect(found, { depth: 6, breakLength: 110, maxStringLength: 2000, maxArrayLength: 50 });
  return text.length > 10_000 ? `${text.slice(0, 10_000)}…` : text;
}
