import { randomBytes } from 'node:crypto';
import { Installation } from './installation.ts';
import type { InstallationSettings } from './installation.ts';
import { nextRedisDatabase } from './redis-databases.ts';

type Addresses = Pick<InstallationSettings, 'redisUrl' | 'mongodbUri'>;
type Settings = Pick<InstallationSettings, 'services' | 'environment' | 'gateways'>;

/** All installations that a run has started, so that none of them outlives it. */
export class Installations {
  readonly #addresses: Addresses;
  readonly #started = new Set<Promise<Installation>>();
  #shared: Promise<Installation> | undefined;

  constructor(addresses: Addresses) {
    this.#addresses = addresses;
  }

  /** The one that most rows are measured with; started when it is requested first. */
  shared(): Promise<Installation> {
    return (this.#shared ??= this.#start(this.#addresses));
  }

  /** One with databases of its own; whoever calls stops it. */
  async another(settings: Settings = {}): Promise<Installation> {
    const redisUrl = await nextRedisDatabase(this.#addresses.redisUrl);
    return this.#start({ ...this.#addresses, redisUrl }, settings);
  }

  /** The highest resident set of each process of the shared one, in MB; undefined if there is none. */
  async peakMemory(): Promise<Record<string, number> | undefined> {
    return (await this.#shared)?.peakMemory();
  }

  /** Stops all that still run. */
  async stop(): Promise<void> {
    const started = [...this.#started];
    this.#started.clear();
    for (const result of await Promise.allSettled(started))
      if (result.status === 'fulfilled') await result.value.stop();
  }

  #start(addresses: Addresses, settings: Settings = {}): Promise<Installation> {
    const database = `bench-${randomBytes(4).toString('hex')}`;
    const starting = Installation.start({ ...addresses, ...settings, database });
    this.#started.add(starting);
    return starting;
  }
}
