import { Inject } from '@nestjs/common';
import { MessagePattern, Payload } from '@nestjs/microservices';
import type { DeleteJob } from '#contracts';
import { MessageController } from '#queue';
import { continueDeletion } from './continue-deletion.ts';
import type { DeletionPorts, DeletionSettings } from './continue-deletion.ts';

export const deletionPorts = Symbol('DeletionPorts');
export const deletionSettings = Symbol('DeletionSettings');

/** The jobs of the queue `delete`. */
@MessageController({ delete: 'DELETE_CONCURRENCY' })
export class DeleteHandler {
  constructor(
    @Inject(deletionPorts) private readonly ports: DeletionPorts,
    @Inject(deletionSettings) private readonly settings: DeletionSettings,
  ) {}

  @MessagePattern('delete')
  async delete(@Payload() job: DeleteJob): Promise<void> {
    await continueDeletion(this.ports, this.settings, job);
  }
}
