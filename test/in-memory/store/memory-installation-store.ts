import type { InstallationStore } from '#core';

/** The installation's identifier in memory. */
export class MemoryInstallationStore implements InstallationStore {
  #identifier: string | undefined;

  async identifier(candidate: string): Promise<string> {
    this.#identifier ??= candidate;
    return this.#identifier;
  }

  async renew(identifier: string): Promise<void> {
    this.#identifier = identifier;
  }
}
