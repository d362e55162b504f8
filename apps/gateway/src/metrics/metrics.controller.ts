import { Controller, Inject, Res } from '@nestjs/common';
import type { Response } from 'express';
import type { BullQueue } from '#queue';
import { metricsText, metricsType, openedQueue, systemClock } from '#service';
import { gatewayPorts } from '../gateway-ports.ts';
import type { GatewayPorts } from '../gateway-ports.ts';
import { Route } from '../requests/route.ts';
import { writeQueueMetrics } from './queue-metrics.ts';
import { TenantUsages } from './tenant-usage.ts';

/** Says to Prometheus, and to what scales services, how much there is to do, and what this gateway did. */
@Controller()
export class MetricsController {
  readonly #usages: TenantUsages;

  constructor(
    @Inject(openedQueue) private readonly queue: BullQueue,
    @Inject(gatewayPorts) ports: GatewayPorts,
  ) {
    this.#usages = new TenantUsages(ports);
  }

  @Route('readMetrics')
  async read(@Res() response: Response): Promise<void> {
    const texts = await Promise.all([this.#queues(), metricsText()]);
    response
      .set({ 'Cache-Control': 'no-store', 'Content-Type': metricsType })
      .send([...texts, this.#usages.text()].join(''));
  }

  /** Nothing while Redis is away: that is not the same as empty queues. */
  async #queues(): Promise<string> {
    return this.queue.depths(systemClock.now()).then(writeQueueMetrics, () => '');
  }
}
