import { gatewaySettings, readConfiguration, systemClock } from '#service';
import { AuditLog } from '#core';
import { createMemoryStore } from '#in-memory';
import { Authentication } from '../../apps/gateway/src/access/authentication.ts';
import { IssuedKeys } from '../../apps/gateway/src/access/issued-keys.ts';
import { SuspendedTenants } from '../../apps/gateway/src/access/suspended-tenants.ts';
import { AuditTrail } from '../../apps/gateway/src/audit/audit-trail.ts';
import { Refusals } from '../../apps/gateway/src/audit/refusals.ts';
import type { GatewayPorts } from '../../apps/gateway/src/gateway-ports.ts';
import { KnownLimits } from '../../apps/gateway/src/quota/known-limits.ts';
import { LocalQuota } from '../../apps/gateway/src/quota/local-quota.ts';
import { TenantLimiter } from '../../apps/gateway/src/quota/tenant-limiter.ts';
import { TenantRequests } from '../../apps/gateway/src/quota/tenant-requests.ts';
import { TenantStreams } from '../../apps/gateway/src/quota/tenant-streams.ts';
import { readerLimits } from '../../apps/gateway/src/requests/reader-limits.ts';

/** The limits that a gateway has by default, and that no key is needed, for tests of something else. */
export function gatewayLimits(): Pick<
  GatewayPorts,
  | 'configuration'
  | 'authentication'
  | 'suspended'
  | 'limiter'
  | 'audit'
  | 'downloads'
  | 'reads'
  | 'changeReaders'
  | 'feeds'
> {
  const configuration = readConfiguration(gatewaySettings, {});
  const { accessKeys, tenants, audit } = createMemoryStore({ clock: systemClock });
  const authentication = new Authentication({
    isRequired: false,
    keys: new IssuedKeys(accessKeys, systemClock, []),
  });
  const suspended = new SuspendedTenants(tenants, systemClock);
  const quota = new LocalQuota(Date.now);
  const limiter = new TenantLimiter({
    configuration,
    known: new KnownLimits(tenants, systemClock),
    requests: new TenantRequests(quota, Date.now),
    streams: new TenantStreams(quota),
  });
  const log = new AuditLog({
    store: audit,
    now: () => systemClock.now(),
    newChain: () => '1',
    keptDays: configuration.AUDIT_DAYS,
  });
  const trail = new AuditTrail(false, log, new Refusals(configuration.AUDIT_REFUSALS), systemClock);
  return { audit: trail, configuration, authentication, suspended, limiter, ...readerLimits(configuration) };
}
