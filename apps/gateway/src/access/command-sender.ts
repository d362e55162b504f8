import { createHash } from 'node:crypto';
import { isSealedKey, openKey, sealKey } from '#core';
import type { GatewayConfiguration } from '#service';
import { ProblemError } from '../problems/problem-error.ts';
import type { Authentication } from './authentication.ts';
import { anyone } from './principal.ts';
import type { Principal } from './principal.ts';

type Secrets = Pick<GatewayConfiguration, 'AUTH_SECRETS' | 'AUTH_ADMIN_KEY'>;

/**
 * Returns who sends a command. Throws `ProblemError` 401 if its key is not accepted, or missing where
 * commands need one, and what the store throws.
 */
export async function senderOf(
  authentication: Authentication,
  configuration: Secrets & Pick<GatewayConfiguration, 'AUTH_COMMANDS'>,
  key: string | undefined,
): Promise<Principal> {
  if (key !== undefined)
    return authentication.identifyKey(
      isSealedKey(key) ? (openKey(secretsOf(configuration), key) ?? '') : key,
    );
  if (configuration.AUTH_COMMANDS === 'trusted') return anyone;
  throw new ProblemError(401, 'unauthenticated', 'A command has a key in `key` (setting AUTH_COMMANDS).');
}

/** The data of a command with its key encrypted; as it is if it has none. */
export function withSealedKey(configuration: Secrets, data: unknown): unknown {
  const key = keyIn(data);
  const [secret] = secretsOf(configuration);
  if (key === undefined || isSealedKey(key)) return data;
  // Without a secret there are no keys: it is refused anyway.
  return { ...(data as object), key: secret === undefined ? 'removed' : sealKey(secret, key) };
}

/** The data of a command without its key. */
export function withoutKey(data: unknown): unknown {
  if (keyIn(data) === undefined) return data;
  const { key: _key, ...rest } = data as { readonly key: string };
  return rest;
}

function keyIn(data: unknown): string | undefined {
  const key = (data as { readonly key?: unknown } | null | undefined)?.key;
  return typeof key === 'string' ? key : undefined;
}

function secretsOf({ AUTH_SECRETS = [], AUTH_ADMIN_KEY }: Secrets): Uint8Array[] {
  return [
    ...AUTH_SECRETS,
    ...(AUTH_ADMIN_KEY === undefined ? [] : [createHash('sha256').update(AUTH_ADMIN_KEY).digest()]),
  ];
}
