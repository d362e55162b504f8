import type { GatewayPorts } from '../../apps/gateway/src/gateway-ports.ts';
import { readerLimits } from '../../apps/gateway/src/requests/reader-limits.ts';

/** Limits of a gateway that is not what a test is about. */
export function gatewayLimits(): Pick<GatewayPorts, 'limits' | 'downloads' | 'reads' | 'changeReaders'> {
  return {
    limits: {
      readerItems: 100,
      pageItems: 100,
      pageBytes: 1_000_000,
      longPollSeconds: 1,
      fileBytes: 1_000_000,
      stallSeconds: 30,
      editKeySeconds: 86_400,
      editKeys: 50,
    },
    ...readerLimits({ GATEWAY_DOWNLOADS: 10, GATEWAY_CHANGE_READERS: 10, GATEWAY_STALL_SECONDS: 30 }),
  };
}
