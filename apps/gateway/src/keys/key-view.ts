import type { AccessKeyView } from '#contracts';
import type { AccessKey } from '#core';

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
