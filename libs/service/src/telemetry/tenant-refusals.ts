import { tenantRefusals, tenantShare } from './instruments.ts';

/** How many tenants have a label of their own, those that were refused something first. */
const namedTenants = 100;

const named = new Set<string>();

/** Counts a request of a tenant that was refused at one of its limits. */
export function countRefusal(tenant: string, limit: string): void {
  if (named.size < namedTenants) named.add(tenant);
  tenantRefusals.inc({ tenant: named.has(tenant) ? tenant : 'others', limit });
}

/** Records whether this process knows its own share of the limits of tenants alone. */
export function observeTenantShare(isLocal: boolean): void {
  tenantShare.set(isLocal ? 1 : 0);
}
