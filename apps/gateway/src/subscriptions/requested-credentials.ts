import { commandSchemas, sealedCredentials } from '#contracts';
import type { Credentials } from '#contracts';
import { collectionKey, CredentialsError, originOf, sealCredentials, withoutUserInfo } from '#core';
import type { CollectionKey, CredentialKeys, SealedCredentials } from '#core';
import { invalidInput } from '../problems/problem-error.ts';

/** The address of a feed, and the credentials for it. */
interface Requested {
  readonly url: string;
  /** Encrypted already if a command was read before; null to remove those that there are. */
  readonly credentials?: Credentials | SealedCredentials | null | undefined;
}

/** The same, as it is stored. */
interface Stored {
  readonly url: string;
  readonly credentials?: SealedCredentials | null | undefined;
}

/**
 * Encrypts the credentials of a request, those in the address too (RFC 3986, 3.2.1), which is left without
 * them. Throws `ProblemError` 400 if there is no key for that, or both are given.
 */
export function sealRequested(
  keys: CredentialKeys,
  collection: CollectionKey,
  { url, credentials }: Requested,
): Stored {
  const [plainUrl, inUrl] = [withoutUserInfo(url), credentialsIn(url)];
  if (inUrl !== undefined && credentials) throw refused('the URL has credentials too; give them once');
  const given = inUrl ?? credentials;
  if (given === undefined || given === null) return { url: plainUrl, credentials: given };
  if ('sealed' in given) return { url: plainUrl, credentials: given };
  try {
    return { url: plainUrl, credentials: sealCredentials(keys, collection, originOf(url), given) };
  } catch (error) {
    if (error instanceof CredentialsError) throw refused(error.message);
    throw error;
  }
}

/**
 * What is kept of a command in its queue while it is tried: the same with its credentials encrypted, or with
 * a mark that the schema refuses if they can't be. Data without credentials is returned as it is.
 */
export function withoutSecrets(keys: CredentialKeys, data: unknown): unknown {
  if (!hasSecrets(data)) return data;
  const read = commandSchemas.subscribe.safeParse(data);
  try {
    if (read.success)
      return { ...data, ...sealRequested(keys, collectionKey(read.data.collection), read.data) };
  } catch {
    // The command itself is refused for the same reason.
  }
  const { url } = data;
  return {
    ...data,
    ...(typeof url === 'string' && { url: withoutUserInfo(url) }),
    credentials: { kind: 'removed' },
  };
}

function hasSecrets(data: unknown): data is { readonly url?: unknown; readonly credentials?: unknown } {
  if (typeof data !== 'object' || data === null) return false;
  const { url, credentials } = data as { readonly url?: unknown; readonly credentials?: unknown };
  if (typeof url === 'string' && withoutUserInfo(url) !== url) return true;
  return (
    credentials !== undefined && credentials !== null && !sealedCredentials.safeParse(credentials).success
  );
}

/** The credentials that a URL holds, as `Authorization` would carry them. */
function credentialsIn(url: string): Credentials | undefined {
  const { username, password } = new URL(url);
  if (username === '' && password === '') return undefined;
  return { kind: 'basic', username: decoded(username), password: decoded(password) };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function refused(message: string): Error {
  return invalidInput([{ path: 'body.credentials', message }]);
}
