import { createHash } from 'node:crypto';
import { commandSchemas } from '#contracts';
import { isSealedKey, openKey, sealKey } from '#core';
import type { GatewayConfiguration } from '#service';

type Secrets = Pick<GatewayConfiguration, 'AUTH_SECRETS' | 'AUTH_ADMIN_KEY'>;

/** A job of the queue `commands`: its number, and its name. */
export interface CommandJob {
  readonly id: string;
  readonly name: string;
}

/** Stands for a key that is not kept. It is no key, so a command with it is refused. */
const removed = 'removed';

const members: ReadonlySet<string> = new Set(
  Object.values(commandSchemas).flatMap((schema) => Object.keys(schema.shape)),
);
/** What may have texts of any kind. */
const contents: ReadonlySet<string> = new Set(['item', 'resolution']);
const secretName = /key|token|secret|password|authorization/i;
const keyText = /fm_[0-9a-f]{16}_[A-Za-z0-9_-]{43}/;

/** The data of a command with its key as it was sent; with a key that is refused if that can't be read. */
export function withOpenKey(secrets: Secrets, job: CommandJob, data: unknown): unknown {
  const key = keyIn(data);
  if (key === undefined || !isSealedKey(key)) return data;
  return { ...(data as object), key: openKey(secretsOf(secrets), bindingOf(job, data), key) ?? removed };
}

/**
 * The data of a command as it is kept in the queue while it is tried: with its key encrypted for this very
 * command, and without keys where none belongs. Returns the same data if nothing is to be changed.
 */
export function withSealedKey(secrets: Secrets, job: CommandJob, data: unknown): unknown {
  const kept = withoutStrayKeys(data);
  const key = keyIn(kept);
  if (key === undefined || key === removed) return kept;
  const [secret] = secretsOf(secrets);
  const binding = bindingOf(job, kept);
  if (isSealedKey(key) && openKey(secretsOf(secrets), binding, key) !== undefined) return kept;
  // Without a secret there are no keys: it is refused anyway.
  const sealed = secret === undefined || isSealedKey(key) ? removed : sealKey(secret, binding, key);
  return { ...(kept as object), key: sealed };
}

/** The data of a command that has ended, with nothing in place of its key. */
export function withRemovedKey(data: unknown): unknown {
  const kept = withoutStrayKeys(data);
  return keyIn(kept) === undefined ? kept : { ...(kept as object), key: removed };
}

/** The data of a command without any key. */
export function withoutKey(data: unknown): unknown {
  const kept = withoutStrayKeys(data);
  if (keyIn(kept) === undefined) return kept;
  const { key: _key, ...rest } = kept as { readonly key: string };
  return rest;
}

/** What an encrypted key is for: a job, and all that its command says. */
function bindingOf({ id, name }: CommandJob, data: unknown): string {
  const { key: _key, ...rest } = data as { readonly key: string };
  return JSON.stringify(['feedmesh command 1', id, name, rest]);
}

/** The data with each key removed that is not a text in `key`. */
function withoutStrayKeys(data: unknown): unknown {
  if (typeof data !== 'object' || data === null || Array.isArray(data)) return hasKey(data) ? removed : data;
  const strays = Object.entries(data).filter(([name, value]) => isStray(name, value));
  if (strays.length === 0) return data;
  return { ...data, ...Object.fromEntries(strays.map(([name]) => [name, removed])) };
}

function isStray(name: string, value: unknown): boolean {
  if (value === removed || contents.has(name)) return false;
  if (name === 'key') return typeof value !== 'string';
  return (!members.has(name) && secretName.test(name)) || hasKey(value);
}

function hasKey(value: unknown): boolean {
  return keyText.test(JSON.stringify(value) ?? '');
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
