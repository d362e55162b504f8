import { z } from 'zod';
import { contracts } from '../registry.ts';

/** That a service runs. */
export const liveness = z
  .object({ status: z.literal('up') })
  .register(contracts, { id: 'Liveness', version: 1, example: { status: 'up' } });

/** Whether a service can work: each check with `up` or what is wrong. */
export const readiness = z
  .object({
    status: z
      .enum(['up', 'degraded', 'down'])
      .describe('`degraded`: it works, and a check says what works in part, such as without Redis.'),
    checks: z.record(z.string(), z.string()),
    notes: z
      .record(z.string(), z.string())
      .optional()
      .describe('What people should know although the service works.'),
  })
  .register(contracts, {
    id: 'Readiness',
    version: 1,
    example: { status: 'up', checks: { mongodb: 'up', redis: 'up' } },
  });
