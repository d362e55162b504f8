import { z } from 'zod';
import { tenantName } from '../name.ts';
import { contracts } from '../registry.ts';
import type { Described } from '../registry.ts';
import { page } from './page.ts';
import { time } from './time.ts';

const most = z.number().int().min(0).max(1_000_000_000);
const limits = z
  .strictObject({
    collections: most.optional().describe('Collections; TENANT_COLLECTIONS by default.'),
    subscriptions: most
      .optional()
      .describe('Subscriptions of all its collections together; TENANT_SUBSCRIPTIONS by default.'),
    requestsPerSecond: most
      .min(1)
      .max(1_000_000)
      .optional()
      .describe('Requests a second in the long run; TENANT_REQUESTS_PER_SECOND by default.'),
    eventStreams: most
      .optional()
      .describe('Event streams and waiting long polls at the same time; TENANT_EVENT_STREAMS by default.'),
  })
  .describe('How much it may have and do.');

/** A tenant that is to be. */
export const tenantBody = z
  .strictObject({
    limits: limits.optional(),
    suspended: z
      .boolean()
      .optional()
      .describe('Whether every request and command about its collections is refused; no by default.'),
  })
  .register(contracts, { id: 'TenantBody', version: 1, example: { limits: { collections: 20 } } });
export type TenantBody = z.infer<typeof tenantBody>;

const count = z.number().int();
const example = {
  name: 'acme',
  limits: { collections: 20, subscriptions: 10_000, requestsPerSecond: 500, eventStreams: 1000 },
  usage: { collections: 3, subscriptions: 41 },
  suspended: false,
  createdAt: '2026-01-02T03:04:05.000Z',
};

/** A tenant as it is shown. */
export const tenant = z
  .object({
    name: tenantName,
    limits: z
      .object({ collections: count, subscriptions: count, requestsPerSecond: count, eventStreams: count })
      .describe('How much it may have and do.'),
    usage: z.object({ collections: count, subscriptions: count }).describe('How much it has.'),
    suspended: z.boolean(),
    createdAt: time,
  })
  .register(contracts, { id: 'Tenant', version: 1, example });
export type TenantView = Described<typeof tenant>;

export const tenantPage = page('TenantPage', tenant, example);
