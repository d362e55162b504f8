/** A key of AES-256-GCM, and the name under which what it encrypts refers to it. */
export interface CredentialKey {
  readonly name: string;
  /** 32 bytes. */
  readonly bytes: Uint8Array;
}

/** The keys of an installation: the first one encrypts, all decrypt. */
export type CredentialKeys = readonly CredentialKey[];

/** The setting that has the keys. */
export const credentialKeysVariable = 'CREDENTIALS_KEYS';

/** A list of keys is not what `parseCredentialKeys` reads. The message has none of the list's text. */
export class CredentialKeysError extends Error {
  override readonly name = 'CredentialKeysError';
}

/**
 * Reads keys as the environment has them: `name:key`, separated by commas; a name has 1 to 32 characters of
 * `a-z`, `0-9` and `-`, a key is 32 bytes in base64 or base64url. Throws `CredentialKeysError`.
 */
export function parseCredentialKeys(text: string): CredentialKeys {
  const keys = text.split(',').map((entry, place) => parseKey(entry.trim(), place + 1));
  if (new Set(keys.map(({ name }) => name)).size < keys.length)
    throw new CredentialKeysError('must not have two keys with one name');
  return keys;
}

function parseKey(entry: string, place: number): CredentialKey {
  const [, name = '', key = ''] = /^([a-z0-9][a-z0-9-]{0,31}):([A-Za-z0-9+/_-]{43}=?)$/.exec(entry) ?? [];
  const bytes = Buffer.from(key, 'base64');
  if (name === '' || bytes.length !== 32)
    throw new CredentialKeysError(
      `must be a comma-separated list of name:key, each key 32 bytes in base64 (openssl rand -base64 32); ` +
        `entry ${place} is not`,
    );
  return { name, bytes };
}
