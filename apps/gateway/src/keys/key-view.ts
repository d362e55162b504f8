import type { AccessKeyView, IssuedKeyView } from '#contracts';
import type { AccessKey } from '#core';
import { mayBeAddressed, secretAddress } from '../access/secret-address.ts';

/** A key as it is shown, without its secrets. */
export function keyView(key: AccessKey, now: Date): AccessKeyView {
  const { id, name, grants, subject, secrets, createdAt, expiresAt, lastUsedAt } = key;
  const former = secrets.find(({ until }) => until !== undefined && until > now)?.until;
  return {
    id,
    name,
    grants,
    ...(subject !== undefined && { subject }),
    createdAt: createdAt.toISOString(),
    ...(expiresAt && { expiresAt: expiresAt.toISOString() }),
    ...(lastUsedAt && { lastUsedAt: lastUsedAt.toISOString() }),
    ...(former && { formerUntil: former.toISOString() }),
  };
}

/** A key as it is shown this once, with its secret, and the address that has it if there may be one. */
export function issuedKeyView(key: AccessKey, text: string, publicUrl: string, now: Date): IssuedKeyView {
  const address = mayBeAddressed(key) ? { address: secretAddress(publicUrl, text) } : {};
  return { ...keyView(key, now), key: text, ...address };
}
