import { Inject } from '@nestjs/common';
import { MessagePattern, Payload } from '@nestjs/microservices';
import type { MergeJob, FinalizeJob } from '#contracts';
import { MessageController } from '#queue';
import { mergeBatch } from './merge-batch.ts';
import type { MergeBatchPorts } from './merge-batch.ts';
import { finalizeManifest } from './finalize-manifest.ts';

export const mergePorts = Symbol('MergePorts');

/** The jobs of the queues `merge` and `finalize`. */
@MessageController({ merge: 'MERGE_CONCURRENCY', finalize: 'FINALIZE_CONCURRENCY' })
export class MergeHandler {
  constructor(@Inject(mergePorts) private readonly ports: MergeBatchPorts) {}

  @MessagePattern('merge')
  async merge(@Payload() job: MergeJob): Promise<void> {
    await mergeBatch(this.ports, job);
  }

  @MessagePattern('finalize')
  async finalize(@Payload() job: FinalizeJob): Promise<void> {
    await finalizeManifest(this.ports, job);
  }
}
