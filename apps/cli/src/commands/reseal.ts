import { CredentialsError, nameOf, resealCredentials } from '#core';
import type { CredentialKeys, Store, Subscription } from '#core';
import { credentialKeysOf } from '#service';
import { exitCode } from '../command-error.ts';
import type { ExitCode } from '../command-error.ts';
import { audited } from '../databases/audited.ts';
import { openMongodb } from '../databases/databases.ts';
import type { Io } from '../io.ts';
import { readSetting } from '../read-setting.ts';
import { Output } from '../terminal/output.ts';
import { printable } from '../terminal/text.ts';

interface ResealArguments {
  readonly output: 'text' | 'json';
}

/** A subscription whose credentials can't be read, and why. */
interface Unreadable {
  readonly collection: string;
  readonly subscription: string;
  readonly rule: string;
  readonly reason: string;
}

/**
 * Encrypts the credentials of all subscriptions under the first of `CREDENTIALS_KEYS`; the services may run
 * meanwhile, and it may be repeated. Returns `violations` if some can't be read, which are listed.
 * @throws CommandError (64) if a setting is wrong or missing, (69) if MongoDB does not respond
 */
export async function reseal({ output: format }: ResealArguments, io: Io): Promise<ExitCode> {
  const keys = readSetting(io, credentialKeysOf);
  const store = await openMongodb(io);
  const output = new Output(io.stdout);
  try {
    const { resealed, unreadable } = await audited(store, io, 'reseal', () => resealAll(store, keys));
    if (format === 'json') await output.write(`${JSON.stringify({ resealed, unreadable })}\n`);
    else {
      for (const { collection, subscription, rule, reason } of unreadable)
        await output.write(`${printable(`${collection}/${subscription}: ${reason} [${rule}]`)}\n`);
      await output.write(`${resealed} encrypted under "${keys[0]?.name}", ${unreadable.length} unreadable\n`);
    }
    await output.flush();
    return unreadable.length > 0 ? exitCode.violations : exitCode.done;
  } finally {
    await store.close();
  }
}

/** How many subscriptions are read at once. */
const pageSize = 100;

async function resealAll(
  { subscriptions }: Pick<Store, 'subscriptions'>,
  keys: CredentialKeys,
): Promise<{ resealed: number; unreadable: Unreadable[] }> {
  const unreadable = new Map<string, Unreadable>();
  let resealed = 0;
  for (;;) {
    const found = await subscriptions.sealedOtherwise(keys[0]?.name ?? '', pageSize + unreadable.size);
    const left = found.filter((subscription) => !unreadable.has(keyOf(subscription)));
    if (left.length === 0) return { resealed, unreadable: [...unreadable.values()] };
    for (const subscription of left) {
      const { collection, id, credentials } = subscription;
      if (credentials === undefined) continue;
      try {
        const anew = resealCredentials(keys, collection, credentials);
        if (await subscriptions.reseal(subscription, credentials, anew)) resealed += 1;
      } catch (error) {
        if (!(error instanceof CredentialsError)) throw error;
        unreadable.set(keyOf(subscription), {
          collection: nameOf(collection),
          subscription: id,
          rule: error.rule,
          reason: error.message,
        });
      }
    }
  }
}

function keyOf({ collection, id }: Subscription): string {
  return `${nameOf(collection)}/${id}`;
}
