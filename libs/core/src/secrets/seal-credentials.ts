import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { credentials } from '#contracts';
import type { Credentials } from '#contracts';
import type { CollectionKey } from '#contracts';
import type { SealedCredentials } from '../sealed-credentials.ts';
import { credentialKeysVariable } from './credential-keys.ts';
import type { CredentialKey, CredentialKeys } from './credential-keys.ts';

const cipher = 'aes-256-gcm';
const ivLength = 12;
const tagLength = 16;

/** Credentials can't be read: `credentials-key` without their key, `credentials-damaged` otherwise. */
export class CredentialsError extends Error {
  override readonly name = 'CredentialsError';
  readonly rule: 'credentials-key' | 'credentials-damaged';
  constructor(rule: CredentialsError['rule'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.rule = rule;
  }
}

/**
 * Encrypts credentials under the first key, for subscriptions of this collection to feeds of this origin.
 * Throws `CredentialsError` (`credentials-key`) if there is no key.
 */
export function sealCredentials(
  keys: CredentialKeys,
  collection: CollectionKey,
  origin: string,
  given: Credentials,
): SealedCredentials {
  const [key] = keys;
  if (key === undefined)
    throw new CredentialsError(
      'credentials-key',
      `credentials are kept encrypted, and there is no key for that: set ${credentialKeysVariable}`,
    );
  const described = { kind: given.kind, origin, key: key.name };
  const iv = randomBytes(ivLength);
  const encryption = createCipheriv(cipher, key.bytes, iv).setAAD(bindingOf(collection, described));
  const secret = Buffer.concat([encryption.update(JSON.stringify(given), 'utf8'), encryption.final()]);
  return {
    ...described,
    sealed: Buffer.concat([iv, encryption.getAuthTag(), secret]).toString('base64url'),
  };
}

/**
 * Decrypts credentials.
 * @throws CredentialsError if their key is missing, if it is another one than they were encrypted with, or
 *   if they were changed or taken from another collection
 */
export function openCredentials(
  keys: CredentialKeys,
  collection: CollectionKey,
  stored: SealedCredentials,
): Credentials {
  const bytes = Buffer.from(stored.sealed, 'base64url');
  const [iv, tag] = [bytes.subarray(0, ivLength), bytes.subarray(ivLength, ivLength + tagLength)];
  try {
    const { bytes: key } = keyOf(keys, stored);
    const decryption = createDecipheriv(cipher, key, iv, { authTagLength: tagLength });
    decryption.setAAD(bindingOf(collection, stored)).setAuthTag(tag);
    const secret = Buffer.concat([
      decryption.update(bytes.subarray(ivLength + tagLength)),
      decryption.final(),
    ]);
    return credentials.parse(JSON.parse(secret.toString('utf8')));
  } catch (error) {
    if (error instanceof CredentialsError) throw error;
    throw new CredentialsError(
      'credentials-damaged',
      `the credentials can't be decrypted: the key "${stored.key}" of ${credentialKeysVariable} is another ` +
        'one than they were encrypted with, or they were changed',
    );
  }
}

/**
 * Encrypts the same credentials under the first key. Throws as `openCredentials` and `sealCredentials` do.
 */
export function resealCredentials(
  keys: CredentialKeys,
  collection: CollectionKey,
  stored: SealedCredentials,
): SealedCredentials {
  return sealCredentials(keys, collection, stored.origin, openCredentials(keys, collection, stored));
}

function keyOf(keys: CredentialKeys, { key }: SealedCredentials): CredentialKey {
  const found = keys.find(({ name }) => name === key);
  if (found !== undefined) return found;
  throw new CredentialsError(
    'credentials-key',
    `the credentials were encrypted with the key "${key}", which ${credentialKeysVariable} does not have`,
  );
}

/** What the credentials are bound to: whoever moves them elsewhere finds them damaged. */
function bindingOf(
  collection: CollectionKey,
  { kind, origin, key }: Omit<SealedCredentials, 'sealed'>,
): Buffer {
  return Buffer.from(JSON.stringify(['feedmesh credentials 1', collection, kind, origin, key]), 'utf8');
}
