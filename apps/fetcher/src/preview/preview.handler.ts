import { Inject } from '@nestjs/common';
import { MessagePattern, Payload } from '@nestjs/microservices';
import type { PreviewJob } from '#contracts';
import type { Replies } from '#core';
import { MessageController } from '#queue';
import { fetchPorts, fetchSettings } from '../fetch.handler.ts';
import type { FetchPorts } from '../fetch-ports.ts';
import type { FetchSettings } from '../fetch-settings.ts';
import { previewFeed } from './preview-feed.ts';

export const replies = Symbol('Replies');

/** The jobs of the queue `preview`. */
@MessageController({ preview: 'FETCH_CONCURRENCY' })
export class PreviewHandler {
  constructor(
    @Inject(fetchPorts) private readonly ports: FetchPorts,
    @Inject(fetchSettings) private readonly settings: FetchSettings,
    @Inject(replies) private readonly answers: Replies,
  ) {}

  @MessagePattern('preview')
  async preview(@Payload() job: PreviewJob): Promise<void> {
    await this.answers.send(job.reply, await previewFeed(this.ports, this.settings, job));
  }
}
