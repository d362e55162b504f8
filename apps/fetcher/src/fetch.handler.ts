import { Inject } from '@nestjs/common';
import { MessagePattern, Payload } from '@nestjs/microservices';
import type { FetchJob } from '#contracts';
import { MessageController } from '#queue';
import { fetchSubscription } from './fetch-subscription.ts';
import type { FetchPorts } from './fetch-ports.ts';
import type { FetchSettings } from './fetch-settings.ts';

export const fetchPorts = Symbol('FetchPorts');
export const fetchSettings = Symbol('FetchSettings');

/** The jobs of the queue `fetch`. */
@MessageController({ fetch: 'FETCH_CONCURRENCY' })
export class FetchHandler {
  constructor(
    @Inject(fetchPorts) private readonly ports: FetchPorts,
    @Inject(fetchSettings) private readonly settings: FetchSettings,
  ) {}

  @MessagePattern('fetch')
  async fetch(@Payload() job: FetchJob): Promise<void> {
    await fetchSubscription(this.ports, this.settings, job);
  }
}
