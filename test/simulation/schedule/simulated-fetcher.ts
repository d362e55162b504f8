import { Hosts } from '../../../apps/fetcher/src/hosts/hosts.ts';
import type { HostPause } from '../../../apps/fetcher/src/hosts/hosts.ts';
import type { HostLimits } from '../../../apps/fetcher/src/hosts/host-state.ts';

/** One fetcher: how many polls it has in flight, and what it knows of hosts. */
export class SimulatedFetcher {
  readonly hosts: Hosts;
  inFlight = 0;

  constructor(
    limits: HostLimits,
    world: {
      readonly now: () => Date;
      readonly fraction: () => number;
      readonly paused: (host: string, pause: HostPause) => void;
    },
  ) {
    const { now, fraction, paused } = world;
    this.hosts = new Hosts(limits, { clock: { now }, random: { fraction }, send: () => {}, paused });
  }
}
