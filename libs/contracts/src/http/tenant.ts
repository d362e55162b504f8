import { z } from 'zod';
import { tenantName } from '../name.ts';
import { contracts } from '../registry.ts';
import type { Described } from '../registry.ts';
import { page } from './page.ts';
import { time } from './time.ts';

const atMost = (limit: number): z.ZodNumber => z.number().int().min(0).max(limit);
const most = atMost(1_000_000_000);
const rate = atMost(1_000_000).min(1);
/** How much a tenant may have and do; what is absent is as the settings say. */
export const tenantLimits = z
  .strictObject({
    collections: most.optional().describe('Collections; TENANT_COLLECTIONS by default.'),
    subscriptions: most
      .optional()
      .describe('Subscriptions of all its collections together; TENANT_SUBSCRIPTIONS by default.'),
    items: most.optional().describe('Items that are not deleted; TENANT_ITEMS by default.'),
    bytes: atMost(1_000_000_000_000_000)
      .optional()
      .describe(
        'Bytes of items with their histories and conflicts (as stored), of tombstones and of files; ' +
          'TENANT_BYTES by default.',
      ),
    files: most
      .optional()
      .describe('Files, and copies of documents of mirrored trees; TENANT_FILES by default.'),
    requestsPerSecond: rate
      .optional()
      .describe('Requests a second in the long run; TENANT_REQUESTS_PER_SECOND by default.'),
    eventStreams: most
      .optional()
      .describe('Event streams and waiting long polls at the same time; TENANT_EVENT_STREAMS by default.'),
    fetchesPerMinute: rate
      .optional()
      .describe('Fetches of its subscriptions in a minute; TENANT_FETCHES_PER_MINUTE by default.'),
  })
  .describe('How much it may have and do.');

/** A tenant that is to be. */
export const tenantBody = z
  .strictObject({
    limits: tenantLimits.optional(),
    suspended: z
      .boolean()
      .optional()
      .describe('Whether every request and command about its collections is refused; no by default.'),
  })
  .register(contracts, { id: 'TenantBody', version: 1, example: { limits: { collections: 20 } } });
export type TenantBody = z.infer<typeof tenantBody>;

const count = z.number().int();
const usage = { collections: count, subscriptions: count, items: count, bytes: count, files: count };
const example = {
  name: 'acme',
  limits: {
    collections: 20,
    subscriptions: 10_000,
    items: 1_000_000,
    bytes: 10_737_418_240,
    files: 100_000,
    requestsPerSecond: 500,
    eventStreams: 1000,
    fetchesPerMinute: 600,
  },
  usage: { collections: 3, subscriptions: 41, items: 1207, bytes: 2_411_724, files: 0 },
  suspended: false,
  createdAt: '2026-01-02T03:04:05.000Z',
};

/** A tenant as it is shown. */
export const tenant = z
  .object({
    name: tenantName,
    limits: z
      .object({ ...usage, requestsPerSecond: count, eventStreams: count, fetchesPerMinute: count })
      .describe('How much it may have and do.'),
    usage: z.object(usage).describe('How much it has.'),
    suspended: z.boolean(),
    createdAt: time,
  })
  .register(contracts, { id: 'Tenant', version: 1, example });
export type TenantView = Described<typeof tenant>;

export const tenantPage = page('TenantPage', tenant, example);
