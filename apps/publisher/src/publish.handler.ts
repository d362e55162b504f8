import { Inject } from '@nestjs/common';
import { MessagePattern, Payload } from '@nestjs/microservices';
import type { PublishJob } from '#contracts';
import { MessageController } from '#queue';
import { publishCollection } from './publish-collection.ts';
import type { PublishPorts, PublishSettings } from './publish-ports.ts';

export const publishPorts = Symbol('PublishPorts');
export const publishSettings = Symbol('PublishSettings');

/** The jobs of the queue `publish`. */
@MessageController({ publish: 'PUBLISH_CONCURRENCY' })
export class PublishHandler {
  constructor(
    @Inject(publishPorts) private readonly ports: PublishPorts,
    @Inject(publishSettings) private readonly settings: PublishSettings,
  ) {}

  @MessagePattern('publish')
  async publish(@Payload() job: PublishJob): Promise<void> {
    await publishCollection(this.ports, this.settings, job);
  }
}
