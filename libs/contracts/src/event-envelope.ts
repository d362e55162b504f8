import { z } from 'zod';

/** What every change event has beside its type and its data: CloudEvents 1.0. */
export const eventEnvelope = {
  specversion: z.literal('1.0'),
  id: z.string().describe('`<collection>:<sequence>`; the key to drop duplicates by.'),
  source: z
    .string()
    .startsWith('urn:feedmesh:')
    .describe(
      '`urn:feedmesh:{endpoint}` with the present endpoint identifier of the collection: with `id` ' +
        'unique among all installations.',
    ),
  subject: z.string().describe("The item's id, or the subscription's."),
  time: z.string().describe('RFC 3339.'),
  datacontenttype: z.literal('application/json'),
  sequence: z
    .string()
    .regex(/^\d{16}$/)
    .describe('The cursor: fixed width, sorts by code point.'),
  traceparent: z
    .string()
    .optional()
    .describe('The trace that the change is part of (W3C Trace Context), where it is recorded.'),
};
