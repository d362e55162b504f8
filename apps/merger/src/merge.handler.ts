import { Inject } from '@nestjs/common';
import { MessagePattern, Payload } from '@nestjs/microservices';
import type { MergeJob, SettleJob } from '#contracts';
import { MessageController } from '#queue';
import { mergeBatch } from './merge-batch.ts';
import type { MergeBatchPorts } from './merge-batch.ts';
import { settleManifest } from './settle-manifest.ts';

export const mergePorts = Symbol('MergePorts');

/** The jobs of the queues `merge` and `settle`. */
@MessageController()
export class MergeHandler {
  constructor(@Inject(mergePorts) private readonly ports: MergeBatchPorts) {}

  @MessagePattern('merge')
  async merge(@Payload() job: MergeJob): Promise<void> {
    await mergeBatch(this.ports, job);
  }

  @MessagePattern('settle')
  async settle(@Payload() job: SettleJob): Promise<void> {
    await settleManifest(this.ports, job);
  }
}
