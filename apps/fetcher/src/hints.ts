import type { FetchPorts } from './fetch-ports.ts';

/** What every decision about the next fetch depends on: the time, and how far random may move it. */
export function hints(ports: FetchPorts) {
  return { now: ports.clock.now(), fraction: ports.random.fraction() };
}
