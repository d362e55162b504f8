import { setTimeout as wait } from 'node:timers/promises';
import type { mongo } from 'mongoose';
import { UnavailableError } from '#core';

/** Milliseconds that a majority has to confirm the write of a check; the health page waits for 2 seconds. */
const confirmation = 1500;

/** Milliseconds after which a check does not wait for a primary any longer. */
const primaryTimeout = 1000;

/**
 * Stores a small write. Throws why not; if no server takes writes, after a moment and not only once the time
 * to look for one is over.
 * @param missingPrimary why no server takes writes at the moment
 */
export async function checkWrites(
  database: mongo.Db | undefined,
  missingPrimary: () => string | undefined,
): Promise<void> {
  const end = new AbortController();
  const hasNoPrimary = async (): Promise<never> => {
    await wait(primaryTimeout, undefined, { signal: end.signal });
    const reason = missingPrimary();
    if (reason !== undefined) throw new UnavailableError('MongoDB', reason, 'none');
    return never;
  };
  try {
    await Promise.race([storeCheck(database), hasNoPrimary()]);
  } finally {
    end.abort();
  }
}

const never = new Promise<never>(() => {});

/** Stores a small write at a majority. Throws what the driver throws. */
export async function storeCheck(database: mongo.Db | undefined): Promise<void> {
  const checks = database?.collection<{ _id: string }>('health', {
    writeConcern: { w: 'majority', journal: true, wtimeoutMS: confirmation },
  });
  await checks?.updateOne({ _id: 'check' }, { $set: { at: new Date() } }, { upsert: true });
}
