import { mkdirSync, readFileSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';

/** The services whose blocks are written to a folder by `probe.ts`. */
export class Blocks {
  readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
    mkdirSync(folder, { recursive: true });
  }

  /** Forgets what was written so far. */
  reset(services: readonly string[]): void {
    for (const service of services)
      if (statSync(join(this.folder, service), { throwIfNoEntry: false }) !== undefined)
        truncateSync(join(this.folder, service));
  }

  /** The longest block of a service since then, in milliseconds; 0 for none that was written. */
  longest(service: string): number {
    const file = join(this.folder, service);
    if (statSync(file, { throwIfNoEntry: false }) === undefined) return 0;
    return Math.max(0, ...readFileSync(file, 'utf8').split('\n').map(Number));
  }
}
