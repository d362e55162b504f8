import { gatewaySettings, readConfiguration, systemClock } from '#service';
import { createMemoryStore } from '#in-memory';
import { Authentication } from '../../apps/gateway/src/access/authentication.ts';
import { IssuedKeys } from '../../apps/gateway/src/access/issued-keys.ts';
import { SuspendedTenants } from '../../apps/gateway/src/access/suspended-tenants.ts';
import type { GatewayPorts } from '../../apps/gateway/src/gateway-ports.ts';
import { readerLimits } from '../../apps/gateway/src/requests/reader-limits.ts';

/** The limits that a gateway has by default, and that no key is needed, for tests of something else. */
export function gatewayLimits(): Pick<
  GatewayPorts,
  'configuration' | 'authentication' | 'suspended' | 'downloads' | 'reads' | 'changeReaders' | 'feeds'
> {
  const configuration = readConfiguration(gatewaySettings, {});
  const { accessKeys, tenants } = createMemoryStore({ clock: systemClock });
  const authentication = new Authentication({
    isRequired: false,
    keys: new IssuedKeys(accessKeys, systemClock, []),
  });
  const suspended = new SuspendedTenants(tenants, systemClock);
  return { configuration, authentication, suspended, ...readerLimits(configuration) };
}
