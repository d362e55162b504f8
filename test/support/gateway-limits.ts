import { gatewaySettings, readConfiguration } from '#service';
import type { GatewayPorts } from '../../apps/gateway/src/gateway-ports.ts';
import { readerLimits } from '../../apps/gateway/src/requests/reader-limits.ts';

/** The limits that a gateway has by default, for tests that are about something else. */
export function gatewayLimits(): Pick<
  GatewayPorts,
  'configuration' | 'downloads' | 'reads' | 'changeReaders' | 'feeds'
> {
  const configuration = readConfiguration(gatewaySettings, {});
  return { configuration, ...readerLimits(configuration) };
}
