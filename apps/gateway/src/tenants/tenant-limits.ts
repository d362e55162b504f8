import { limitSource, nameOf, TenantLimitError, tenantOf } from '#core';
import type { CollectionKey, Tenant, TenantLimits } from '#core';
import { storedDefaults } from '#service';
import type { GatewayPorts } from '../gateway-ports.ts';
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
    ...storedDefaults(configuration),
    requestsPerSecond: configuration.TENANT_REQUESTS_PER_SECOND,
    eventStreams: configuration.TENANT_EVENT_STREAMS,
    fetchesPerMinute: configuration.TENANT_FETCHES_PER_MINUTE,
    ...limits,
  };
}

/**
 * Throws `TenantLimitError` if the tenant of a collection would have too much with so many more,
 * `ProblemError` 404 if there is no such tenant. Of requests at the same time, some more may get through.
 */
export async function checkTenantLimit(
  ports: LimitPorts,
  key: CollectionKey,
  what: 'collections' | 'subscriptions',
  more = 1,
): Promise<void> {
  const name = tenantOf(nameOf(key));
  if (name === undefined) return;
  const [tenant, { [what]: usage }] = await Promise.all([
    ports.store.tenants.find(name),
    ports.store.tenants.usage(name),
  ]);
  if (tenant === undefined) throw noSuchTenant(name);
  const { [what]: value } = limitsOf(ports, tenant);
  if (usage + more > value)
    throw new TenantLimitError({ tenant: name, what, value, source: limitSource(tenant, what), usage });
}
