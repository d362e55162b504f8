import { setTimeout as wait } from 'node:timers/promises';

/** Reads again and again until what was read meets the condition, and answers it; throws with the last reading after 15 seconds. */
export async function until<Read>(read: () => Promise<Read>, holds: (read: Read) => boolean): Promise<Read> {
  for (const deadline = Date.now() + 15_000; ; await wait(10)) {
    const found = await read();
    if (holds(found)) return found;
    if (Date.now() > deadline) throw new Error(`${holds.toString()} did not become true of ${JSON.stringify(found)}`);
  }
}
