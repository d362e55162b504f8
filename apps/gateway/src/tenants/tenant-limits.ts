import { nameOf, tenantOf } from '#core';
import type { CollectionKey, Tenant, TenantLimits, TenantUsage } from '#core';
import type { GatewayPorts } from '../gateway-ports.ts';
import { ProblemError } from '../problems/problem-error.ts';
import { noSuchTenant } from './find-tenant.ts';

type LimitPorts = Pick<GatewayPorts, 'store' | 'configuration'>;

/** How much a tenant may have and do. */
export function limitsOf(
  { configuration }: Pick<LimitPorts, 'configuration'>,
  { limits }: Pick<Tenant, 'limits'>,
): Required<TenantLimits> {
  return {
    collections: configuration.TENANT_COLLECTIONS,
    subscriptions: configuration.TENANT_SUBSCRIPTIONS,
    requestsPerSecond: configuration.TENANT_REQUESTS_PER_SECOND,
    eventStreams: configuration.TENANT_EVENT_STREAMS,
    ...limits,
  };
}

/** Says where a limit of a tenant is set, for people: at the tenant, or in a setting. */
export function limitSource({ limits }: Pick<Tenant, 'limits'>, what: keyof TenantLimits): string {
  const setting = `TENANT_${what.replace(/[A-Z]/g, '_$&').toUpperCase()}`;
  return limits[what] === undefined ? `setting ${setting}` : 'its own limit';
}

/**
 * Throws `ProblemError` 403 `tenant-limit` if the tenant of a collection would have too much with so many
 * more, 404 if there is no such tenant. Of requests at the same time, some more may get through.
 */
export async function checkTenantLimit(
  ports: LimitPorts,
  key: CollectionKey,
  what: keyof TenantUsage,
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
  throw new ProblemError(
    403,
    'tenant-limit',
    `The tenant "${name}" may have ${limit} ${what} (${limitSource(tenant, what)}) and has ${usage[what]}.`,
  );
}
