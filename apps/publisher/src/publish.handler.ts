import { Inject } from '@nestjs/common';
import { MessagePattern, Payload } from '@nestjs/microservices';
import type { PublishJob } from '#contracts';
import type { CollectionKey } from '#core';
import { MessageController } from '#queue';
import { systemRandom } from '#service';
import { publishCollection } from './publish-collection.ts';
import type { PublishPorts, PublishSettings } from './publish-collection.ts';

export const publishPorts = Symbol('PublishPorts');
export const publishSettings = Symbol('PublishSettings');

/** The jobs of the queue `publish`. */
@MessageController({ publish: 'PUBLISH_CONCURRENCY' })
export class PublishHandler {
  readonly #left = new Map<CollectionKey, string>();

  constructor(
    @Inject(publishPorts) private readonly ports: Omit<PublishPorts, 'holder' | 'left'>,
    @Inject(publishSettings) private readonly settings: PublishSettings,
  ) {}

  @MessagePattern('publish')
  async publish(@Payload() job: PublishJob): Promise<void> {
    const ports = { ...this.ports, holder: systemRandom.identifier(), left: this.#left };
    await publishCollection(ports, this.settings, job);
  }
}
