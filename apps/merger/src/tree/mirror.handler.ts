import { Inject } from '@nestjs/common';
import { MessagePattern, Payload } from '@nestjs/microservices';
import type { MirrorJob } from '#contracts';
import { MessageController } from '#queue';
import { mergePorts } from '../merge.handler.ts';
import type { MergeBatchPorts } from '../merge-batch.ts';
import { mirrorTreeFeed } from './mirror-tree-feed.ts';

/** The jobs of the queue `mirror`. */
@MessageController({ mirror: 'MIRROR_CONCURRENCY' })
export class MirrorHandler {
  constructor(@Inject(mergePorts) private readonly ports: MergeBatchPorts) {}

  @MessagePattern('mirror')
  async mirror(@Payload() job: MirrorJob): Promise<void> {
    await mirrorTreeFeed(this.ports, job);
  }
}
