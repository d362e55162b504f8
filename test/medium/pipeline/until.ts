import { setTimeout as wait } from 'node:timers/promises';

/** Reads again and again until what was read meets the condition, and answers it; throws with the last reading after `patience` milliseconds. */
export async function until<Read>(read: () => Promise<Read>, holds: (read: Read) => boolean, patience = 15_000): Promise<Read> {
  for (const deadline = Date.now() + patience; ; await wait(10)) {
    const found = await read();
    if (holds(found)) return found;
    if (Date.now() > deadline) throw new Error(`${holds.toString()} did not become true of ${JSON.stringify(found)}`);
  }
}
