import { permitsScope } from '#core';
import type { AccessKey, Store } from '#core';
import type { Principal } from '../access/principal.ts';
import { ProblemError } from '../problems/problem-error.ts';

/** Whether a caller administers everything that a key is for. */
export function administers({ grants }: Pick<Principal, 'grants'>, key: Pick<AccessKey, 'grants'>): boolean {
  return key.grants.every(({ collections }) => permitsScope(grants, 'admin', collections));
}

/** Finds a key. Throws `ProblemError` 404 if there is none that the caller administers. */
export async function findKey(
  { store }: { readonly store: Pick<Store, 'accessKeys'> },
  caller: Principal,
  id: string,
): Promise<AccessKey> {
  const [key] = await store.accessKeys.find([id]);
  if (key === undefined || !administers(caller, key)) throw noSuchKey(id);
  return key;
}

/** What is thrown if there is no such key. */
export function noSuchKey(id: string): ProblemError {
  return new ProblemError(404, 'key-not-found', `There is no key "${id.slice(0, 100)}".`);
}
