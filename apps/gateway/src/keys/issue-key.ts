import type { AccessKeyBody, IssuedKeyView } from '#contracts';
import { accessKeyIdOf, digestAccessKey, makeAccessKey, permitsScope } from '#core';
import type { AccessKey } from '#core';
import { checkPermission } from '../access/check-demand.ts';
import type { Principal } from '../access/principal.ts';
import type { GatewayPorts } from '../gateway-ports.ts';
import { invalidInput, ProblemError } from '../problems/problem-error.ts';
import { firstSecret } from './first-secret.ts';
import { issuedKeyView, keyView } from './key-view.ts';
import { noteKey } from './note-key.ts';

/**
 * Issues a key. Throws `ProblemError` 403 if it would permit more than its issuer administers, or names the
 * subject of a certificate and its issuer does not administer all collections; 400 if it has expired already,
 * 409 if no key can be kept.
 */
export async function issueKey(
  { store, clock, configuration, publicUrl }: GatewayPorts,
  issuer: Principal,
  { name, grants, subject, expiresAt }: AccessKeyBody,
): Promise<IssuedKeyView> {
  const createdAt = clock.now();
  // A subject is the same for all tenants: whoever may assign one could take or find that of another tenant.
  if (subject !== undefined) checkPermission(issuer, 'admin', { scope: '*' });
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
  if (subject !== undefined) return nameSubject(store, { ...more, subject });
  const { id, text } = makeAccessKey();
  const secrets = [{ digest: digestAccessKey(firstSecret(configuration), text) }];
  const key: AccessKey = { id, secrets, ...more };
  noteKey(key);
  await store.accessKeys.add(key);
  return issuedKeyView(key, text, publicUrl, createdAt);
}

/** Has a client certificate stand for a key. Throws `ProblemError` 409 if it stands for one already. */
async function nameSubject(
  store: GatewayPorts['store'],
  key: Omit<AccessKey, 'id' | 'secrets'> & { readonly subject: string },
): Promise<IssuedKeyView> {
  const id = accessKeyIdOf(key.subject);
  const [existing] = await store.accessKeys.find([id]);
  if (existing !== undefined)
    throw new ProblemError(
      409,
      'key-exists',
      `The subject "${key.subject}" stands for the key "${id}" already.`,
    );
  noteKey({ id, ...key });
  await store.accessKeys.add({ id, secrets: [], ...key });
  return keyView({ id, secrets: [], ...key }, key.createdAt);
}
