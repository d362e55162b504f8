import { Controller, Inject, Res } from '@nestjs/common';
import type { Response } from 'express';
import { UnavailableError } from '#core';
import type { BullQueue } from '#queue';
import { openedQueue, systemClock } from '#service';
import { Route } from '../requests/route.ts';
import { writeQueueMetrics } from './queue-metrics.ts';

/** Says to Prometheus, and to what scales the services, how much there is to do. */
@Controller()
export class MetricsController {
  constructor(@Inject(openedQueue) private readonly queue: BullQueue) {}

  @Route('readMetrics')
  async read(@Res() response: Response): Promise<void> {
    const depths = await this.#depths();
    response.set('Cache-Control', 'no-store');
    response.type('text/plain; version=0.0.4; charset=utf-8').send(writeQueueMetrics(depths));
  }

  async #depths(): Promise<Awaited<ReturnType<BullQueue['depths']>>> {
    try {
      return await this.queue.depths(systemClock.now());
    } catch (error) {
      throw new UnavailableError('Redis', String(error), 'none', error);
    }
  }
}
