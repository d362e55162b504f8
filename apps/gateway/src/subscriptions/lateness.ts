import type { GatewayPorts } from '../gateway-ports.ts';

/** Subscriptions that are due since before this time are late. */
export function lateBefore({
  clock,
  configuration: { GATEWAY_LATE_SECONDS },
}: Pick<GatewayPorts, 'clock' | 'configuration'>): Date {
  return new Date(clock.now().getTime() - GATEWAY_LATE_SECONDS * 1000);
}
