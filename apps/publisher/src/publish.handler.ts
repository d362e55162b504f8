import { Inject } from '@nestjs/common';
import { MessagePattern, Payload } from '@nestjs/microservices';
import type { PublishJob } from '#contracts';
import type { CollectionKey } from '#core';
import { MessageController } from '#queue';
import { systemRandom } from '#service';
import { publishCollection } from './publish-collection.ts';
import type { PublishPorts, PublishSettings } from './publish-ports.ts';

export const publishPorts = Symbol('PublishPorts');
export const publishSettings = Symbol('PublishSettings');

/** For how many milliseconds a block gathers requests while edits come faster than blocks are published. */
const gatheredFor = 20;

/** The jobs of the queue `publish`. */
@MessageController({ publish: 'PUBLISH_CONCURRENCY' })
export class PublishHandler {
  readonly #left = new Map<CollectionKey, string>();
  readonly #released = new Map<CollectionKey, number>();
  #running = 0;

  constructor(
    @Inject(publishPorts) private readonly ports: Omit<
      PublishPorts,
      'holder' | 'left' | 'released' | 'gather'
    >,
    @Inject(publishSettings) private readonly settings: PublishSettings,
  ) {}

  @MessagePattern('publish')
  async publish(@Payload() job: PublishJob): Promise<void> {
    // Whoever waits takes the place of another collection.
    const gather = (): number => (this.#running > (this.settings.concurrency ?? 1) / 2 ? 0 : gatheredFor);
    const ports = {
      ...this.ports,
      holder: systemRandom.identifier(),
      left: this.#left,
      released: this.#released,
      gather,
    };
    this.#running += 1;
    try {
      await publishCollection(ports, this.settings, job);
    } finally {
      this.#running -= 1;
    }
  }
}
