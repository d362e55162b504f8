import type { Store, Tenant } from '#core';
import { ProblemError } from '../problems/problem-error.ts';

/** Finds a tenant. Throws `ProblemError` 404 if there is none of that name. */
export async function findTenant(
  { store }: { readonly store: Pick<Store, 'tenants'> },
  name: string,
): Promise<Tenant> {
  const tenant = await store.tenants.find(name);
  if (tenant === undefined) throw noSuchTenant(name);
  return tenant;
}

/** What is thrown if there is no such tenant. */
export function noSuchTenant(name: string): ProblemError {
  return new ProblemError(
    404,
    'tenant-not-found',
    `There is no tenant "${name}". PUT /v1/tenants/${name} creates it.`,
  );
}
