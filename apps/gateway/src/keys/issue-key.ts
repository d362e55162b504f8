import type { AccessKeyBody, IssuedKeyView } from '#contracts';
import { permitsScope } from '#core';
import type { AccessKey } from '#core';
import { accessKeyIdOf, digestAccessKey, makeAccessKey } from '#credentials';
import { mayBeAddressed, secretAddress } from '../access/secret-address.ts';
import type { Principal } from '../access/principal.ts';
import { noteSubject } from '../audit/change-in-progress.ts';
import type { GatewayPorts } from '../gateway-ports.ts';
import { invalidInput, ProblemError } from '../problems/problem-error.ts';
import { administers, findKey, noSuchKey } from './find-key.ts';
import { keyView } from './key-view.ts';

/** Seconds in which the former secret of a key is accepted if nothing else is said. */
const defaultOverlap = 3600;

/**
 * Issues a key. Throws `ProblemError` 403 if it would permit more than its issuer administers, 400 if it has
 * expired already, 409 if no key can be kept.
 */
export async function issueKey(
  { store, clock, configuration, publicUrl }: GatewayPorts,
  issuer: Principal,
  { name, grants, subject, expiresAt }: AccessKeyBody,
): Promise<IssuedKeyView> {
  const createdAt = clock.now();
  for (const { collections } of grants)
    if (!permitsScope(issuer.grants, 'admin', collections))
      throw new ProblemError(
        403,
        'forbidden',
        `The key "${issuer.name}" has no permission "admin" for the collections "${collections}".`,
      );
  const end = expiresAt === undefined ? undefined : new Date(expiresAt);
  if (end !== undefined && end <= createdAt)
    throw invalidInput([{ path: 'body.expiresAt', message: 'must be in the future' }]);
  const more = { name, grants, createdAt, ...(end !== undefined && { expiresAt: end }) };
  if (subject !== undefined) return nameSubject(store, issuer, { ...more, subject });
  const { id, text } = makeAccessKey();
  const secrets = [{ digest: digestAccessKey(firstSecret(configuration), text) }];
  const key: AccessKey = { id, secrets, ...more };
  await store.accessKeys.add(key);
  noteSubject('key', id);
  return { ...keyView(key, createdAt), key: text, ...addressOf(key, text, publicUrl) };
}

/** Has a client certificate stand for a key. Throws `ProblemError` 409 if it stands for one already. */
async function nameSubject(
  store: GatewayPorts['store'],
  issuer: Principal,
  key: Omit<AccessKey, 'id' | 'secrets'> & { readonly subject: string },
): Promise<IssuedKeyView> {
  const id = accessKeyIdOf(key.subject);
  const [existing] = await store.accessKeys.find([id]);
  if (existing !== undefined)
    throw new ProblemError(
      409,
      'key-exists',
      `The subject "${key.subject}" stands for ` +
        `${administers(issuer, existing) ? `the key "${id}"` : 'a key'} already.`,
    );
  await store.accessKeys.add({ id, secrets: [], ...key });
  noteSubject('key', id);
  return keyView({ id, secrets: [], ...key }, key.createdAt);
}

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
  const { store, clock, configuration } = ports;
  const secret = firstSecret(configuration);
  const { secrets, subject } = await findKey(ports, caller, id);
  if (subject !== undefined)
    throw invalidInput([
      { path: 'path.key', message: 'a certificate stands for it, which is renewed elsewhere' },
    ]);
  const { text } = makeAccessKey(id);
  const now = clock.now();
  const until = new Date(now.getTime() + overlapSeconds * 1000);
  const former = secrets.slice(0, 1).map(({ digest }) => ({ digest, until }));
  const rotated = await store.accessKeys.replaceSecrets(id, [
    { digest: digestAccessKey(secret, text) },
    ...former,
  ]);
  if (rotated === undefined) throw noSuchKey(id);
  return { ...keyView(rotated, now), key: text, ...addressOf(rotated, text, ports.publicUrl) };
}

function addressOf(key: AccessKey, text: string, publicUrl: string): Pick<IssuedKeyView, 'address'> {
  return mayBeAddressed(key) ? { address: secretAddress(publicUrl, text) } : {};
}

function firstSecret({ AUTH_SECRETS }: GatewayPorts['configuration']): Uint8Array {
  const secret = AUTH_SECRETS?.[0];
  if (secret === undefined)
    throw new ProblemError(
      409,
      'keys-unavailable',
      'Keys are kept as digests under a secret of the installation, and there is none (setting ' +
        'AUTH_SECRETS).',
    );
  return secret;
}
