import { leasedRequests, tenantRefusals, tenantShare } from './instruments.ts';

/** How many tenants have a label of their own with a metric, those that were counted first. */
const namedTenants = 100;

/** The tenants whose names are labels of one metric. */
class NamedTenants {
  readonly #names = new Set<string>();

  labelOf(tenant: string): string {
    if (this.#names.size < namedTenants) this.#names.add(tenant);
    return this.#names.has(tenant) ? tenant : 'others';
  }
}

const refused = new NamedTenants();
const leasing = new NamedTenants();

/** Counts a request of a tenant that was refused at one of its limits. */
export function countRefusal(tenant: string, limit: string): void {
  tenantRefusals.inc({ tenant: refused.labelOf(tenant), limit });
}

/** Counts requests of a tenant that were leased. */
export function countLeased(tenant: string, requests: number): void {
  leasedRequests.inc({ tenant: leasing.labelOf(tenant) }, requests);
}

/** Records whether this process knows its own share of the limits of tenants alone. */
export function observeTenantShare(isLocal: boolean): void {
  tenantShare.set(isLocal ? 1 : 0);
}
