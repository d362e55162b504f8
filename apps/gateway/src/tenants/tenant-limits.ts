import { nameOf, tenantOf } from '#core';
import type { CollectionKey, Tenant, TenantLimits } from '#core';
import type { GatewayPorts } from '../gateway-ports.ts';
import { ProblemError } from '../problems/problem-error.ts';
import { noSuchTenant } from './find-tenant.ts';

type LimitPorts = Pick<GatewayPorts, 'store' | 'configuration'>;

/** How much a tenant may have. */
export function limitsOf(
  { configuration }: Pick<LimitPorts, 'configuration'>,
  { limits }: Pick<Tenant, 'limits'>,
): Required<TenantLimits> {
  const { TENANT_COLLECTIONS: collections, TENANT_SUBSCRIPTIONS: subscriptions } = configuration;
  return { collections, subscriptions, ...limits };
}

/**
 * Throws `ProblemError` 403 `tenant-limit` if the tenant of a collection would have too much with so many
 * more, 404 if there is no such tenant. Of requests at the same time, some more may get through.
 */
export async function checkTenantLimit(
  ports: LimitPorts,
  key: CollectionKey,
  what: keyof TenantLimits,
  more = 1,
): Promise<void> {
  const name = tenantOf(nameOf(key));
  if (name === undefined) return;
  const [tenant, usage] = await Promise.all([
    ports.store.tenants.find(name),
    ports.store.tenants.usage(name),
  ]);
  if (tenant === undefined) throw noSuchTenant(name);
  const { [what]: limit } = limitsOf(ports, tenant);
  if (usage[what] + more <= limit) return;
  const source = tenant.limits[what] === undefined ? `setting TENANT_${what.toUpperCase()}` : 'its own limit';
  throw new ProblemError(
    403,
    'tenant-limit',
    `The tenant "${name}" may have ${limit} ${what} (${source}) and has ${usage[what]}.`,
  );
}
