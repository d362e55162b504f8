import { setTimeout as wait } from 'node:timers/promises';
import { residentPeak } from '../support/resident-peak.ts';

/** The most memory that each service has had so far, in bytes, by name. */
export class PeakMemory {
  readonly peaks = new Map<string, number>();

  /** Looks once a second until the signal says so, as a process that is killed takes its figure with it. */
  async watch(processes: () => Readonly<Record<string, number>>, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      for (const [name, pid] of Object.entries(processes())) {
        this.peaks.set(name, Math.max(this.peaks.get(name) ?? 0, residentPeak(pid)));
      }
      await wait(1000, undefined, { signal }).catch(() => {});
    }
  }
}
