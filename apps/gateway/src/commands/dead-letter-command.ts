import { createHash } from 'node:crypto';
import { withoutKey } from '../access/command-keys.ts';
import { collectionName } from '#contracts';
import { collectionKey, nameOf } from '#core';
import type { Clock, Store } from '#core';

/** Puts a command that was given up into the dead letters, once however often it is said. */
export async function deadLetterCommand(
  { store, clock }: { readonly store: Pick<Store, 'deadLetters'>; readonly clock: Clock },
  name: string,
  sent: unknown,
  reasons: readonly string[],
): Promise<void> {
  const data = withoutKey(sent);
  const named = collectionName.safeParse((data as { collection?: unknown } | null | undefined)?.collection);
  const collection = collectionKey(named.success ? named.data : '');
  const digest = createHash('sha256')
    .update(JSON.stringify([name, data]))
    .digest('hex');
  await store.deadLetters.add([
    {
      id: `${nameOf(collection) || 'commands'}.${digest.slice(0, 32)}`,
      collection,
      kind: 'command',
      command: { name, data },
      violations: reasons.map((message) => ({
        rule: 'command',
        section: 'Commands',
        message,
        severity: 'error',
        line: 1,
        column: 1,
      })),
      at: clock.now(),
    },
  ]);
}
