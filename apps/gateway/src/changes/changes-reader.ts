import { Inject, Injectable } from '@nestjs/common';
import type { CollectionKey } from '#core';
import { gatewayPorts } from '../gateway-ports.ts';
import type { GatewayPorts } from '../gateway-ports.ts';
import { readChanges } from './read-changes.ts';
import type { ChangesPage } from './read-changes.ts';

/** Reads changes for many clients at once: those that want the same share one read and its result. */
@Injectable()
export class ChangesReader {
  readonly #reads = new Map<string, Promise<ChangesPage>>();

  constructor(@Inject(gatewayPorts) private readonly ports: GatewayPorts) {}

  /** Reads as `readChanges` does, and throws what it throws. */
  read(
    collection: CollectionKey,
    cursor: string | undefined,
    limit: number,
    bytes: number,
  ): Promise<ChangesPage> {
    const key = JSON.stringify([collection, cursor, limit, bytes]);
    const read =
      this.#reads.get(key) ??
      this.ports.reads
        .run(() => readChanges(this.ports, collection, cursor, limit, bytes))
        .finally(() => this.#reads.delete(key));
    this.#reads.set(key, read);
    return read;
  }
}
