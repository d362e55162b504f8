import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Model, mongo } from 'mongoose';
import { isDuplicateKey } from './duplicate-key.ts';

/**
 * What the rows and indexes of a database are like. It rises when services of the version before can't do
 * with what this one writes, or this one not with what is there; `usableFrom` is the oldest version whose
 * services may run beside those of this one: the one before, so that an upgrade can roll.
 */
export const schemaVersion: SchemaVersion = { version: 1, usableFrom: 1 };

export interface SchemaVersion {
  readonly version: number;
  readonly usableFrom: number;
}

/** The one row of the collection `schema`. */
export interface SchemaRow extends Partial<SchemaVersion> {
  readonly _id: 'schema';
  /** The digest of the indexes that were created. */
  readonly indexes?: string;
  /** The process that creates them now, and until when it has the right to without renewing it. */
  readonly holder?: string;
  readonly leasedUntil?: Date;
}

/** A newer version has made the database one that this version can't use. */
export class NewerSchemaError extends Error {
  override readonly name = 'NewerSchemaError';
}

/** Milliseconds that a process may be silent that creates indexes, before another takes over. */
const leaseTime = 30_000;

/** Milliseconds between two looks whether it is done. */
const pause = 200;

const key = { _id: 'schema' } as const;

const leaseFields = { holder: '$lease.holder', leasedUntil: '$lease.leasedUntil' };

/**
 * Has the database prepared for this version: by this process, or by another one that is waited for. What
 * a newer version has prepared is left as it is. Throws `NewerSchemaError` if that can't be used.
 * @param waiting called while another process prepares it
 */
export async function ensureSchema(
  rows: mongo.Collection<SchemaRow>,
  indexes: string,
  prepare: () => Promise<void>,
  waiting: (reason: string) => void,
  known: SchemaVersion = schemaVersion,
): Promise<void> {
  const holder = randomUUID();
  for (;;) {
    if (isPrepared(await rows.findOne(key), indexes, known)) return;
    if (await lease(rows, holder)) break;
    waiting('another service is creating the indexes of a new version');
    await wait(pause);
  }
  try {
    // Another one may have done so before this one had the lease.
    if (isPrepared(await rows.findOne(key), indexes, known)) return;
    await renewing(rows, holder, prepare);
    await rows.updateOne({ ...key, holder }, { $set: { ...known, indexes } });
  } finally {
    await rows.updateOne({ ...key, holder }, { $unset: { holder: '', leasedUntil: '' } });
  }
}

function isPrepared(row: SchemaRow | null, indexes: string, known: SchemaVersion): boolean {
  const { version = 0, usableFrom = 0 } = row ?? {};
  if (usableFrom > known.version)
    throw new NewerSchemaError(
      `the database was upgraded to schema ${version}, which services from schema ${usableFrom} on can ` +
        `use; this one has schema ${known.version}: run a newer version of Feedmesh`,
    );
  return version > known.version || (version === known.version && row?.indexes === indexes);
}

/** Takes the right to prepare the database; returns whether this process has it. */
async function lease(rows: mongo.Collection<SchemaRow>, holder: string): Promise<boolean> {
  const isTaken = { $and: [{ $ne: ['$holder', holder] }, { $gt: ['$leasedUntil', '$$NOW'] }] };
  const kept = { holder: '$holder', leasedUntil: '$leasedUntil' };
  const taken = { holder, leasedUntil: { $add: ['$$NOW', leaseTime] } };
  try {
    const row = await rows.findOneAndUpdate(
      key,
      [{ $set: { lease: { $cond: [isTaken, kept, taken] } } }, { $set: leaseFields }, { $unset: 'lease' }],
      { upsert: true, returnDocument: 'after' },
    );
    return row?.holder === holder;
  } catch (error) {
    if (isDuplicateKey(error)) return false;
    throw error;
  }
}

/** Does the work while the lease is renewed; an index of a large collection takes minutes. */
async function renewing(
  rows: mongo.Collection<SchemaRow>,
  holder: string,
  work: () => Promise<void>,
): Promise<void> {
  const renewal = setInterval(() => void lease(rows, holder).catch(() => {}), leaseTime / 3);
  try {
    await work();
  } finally {
    clearInterval(renewal);
  }
}

/** The digest of the indexes of these models: what is created again if it is another. */
export function indexDigest(models: Readonly<Record<string, Pick<Model<unknown>, 'schema'>>>): string {
  const indexes = Object.entries(models).map(([name, { schema }]) => [name, schema.indexes()]);
  return createHash('sha256').update(JSON.stringify(indexes)).digest('hex');
}
