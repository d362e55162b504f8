import { z } from 'zod';
import { contracts } from '../registry.ts';
import type { Described } from '../registry.ts';

const url = z.string();
const base = 'https://here.example';

/** Where everything is that does not belong to one collection. */
export const serviceIndex = z
  .object({
    name: z.literal('Feedmesh'),
    links: z.object({
      collections: url,
      subscriptions: url,
      deadLetters: url,
      documentation: url,
      openapi: url,
      asyncapi: url,
      live: url,
      ready: url,
    }),
  })
  .register(contracts, {
    id: 'ServiceIndex',
    version: 1,
    example: {
      name: 'Feedmesh',
      links: {
        collections: `${base}/v1/collections`,
        subscriptions: `${base}/v1/subscriptions`,
        deadLetters: `${base}/v1/dead-letters`,
        documentation: `${base}/docs`,
        openapi: `${base}/openapi.json`,
        asyncapi: `${base}/asyncapi.json`,
        live: `${base}/health/live`,
        ready: `${base}/health/ready`,
      },
    },
  });
export type ServiceIndexView = Described<typeof serviceIndex>;
