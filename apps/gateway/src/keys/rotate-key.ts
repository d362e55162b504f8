import type { IssuedKeyView } from '#contracts';
import { digestAccessKey, makeAccessKey } from '#core';
import type { Principal } from '../access/principal.ts';
import type { GatewayPorts } from '../gateway-ports.ts';
import { invalidInput } from '../problems/problem-error.ts';
import { findKey } from './find-key.ts';
import { firstSecret } from './first-secret.ts';
import { issuedKeyView } from './key-view.ts';
import { noteKey } from './note-key.ts';

/** Seconds in which the former secret of a key is accepted if nothing else is said. */
const defaultOverlap = 3600;

/**
 * Gives a key another secret; the former one is accepted for some seconds. Throws `ProblemError` 404 for a
 * key that the caller does not administer, 409 if no key can be kept.
 */
export async function rotateKey(
  ports: GatewayPorts,
  caller: Principal,
  id: string,
  overlapSeconds = defaultOverlap,
): Promise<IssuedKeyView> {
  const { store, clock, configuration, publicUrl } = ports;
  const secret = firstSecret(configuration);
  const { text } = makeAccessKey(id);
  const digest = digestAccessKey(secret, text);
  for (;;) {
    const { secrets, subject, grants } = await findKey(ports, caller, id);
    noteKey({ id, grants });
    if (subject !== undefined)
      throw invalidInput([
        { path: 'path.key', message: 'a certificate stands for it, which is renewed elsewhere' },
      ]);
    const now = clock.now();
    const until = new Date(now.getTime() + overlapSeconds * 1000);
    const former = secrets.slice(0, 1).map((one) => ({ digest: one.digest, until }));
    const latest = secrets[0]?.digest;
    const rotated = await store.accessKeys.replaceSecrets({ id, latest }, [{ digest }, ...former]);
    // Someone else has rotated it meanwhile, whose secret is the former one then.
    if (rotated === undefined) continue;
    return issuedKeyView(rotated, text, publicUrl, now);
  }
}
