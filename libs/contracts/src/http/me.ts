import { z } from 'zod';
import { grant } from '../access.ts';
import { tenantName } from '../name.ts';
import { contracts } from '../registry.ts';
import type { Described } from '../registry.ts';
import { actor } from './actor.ts';
import { time } from './time.ts';

/** Who sends a request, and what they may do. */
export const me = z
  .object({
    kind: actor.shape.kind,
    id: actor.shape.id,
    name: z.string().describe('The name of the key; the subject of a token.'),
    subject: actor.shape.subject,
    tenant: tenantName.optional().describe('The tenant that all grants are for.'),
    grants: z.array(grant).describe('`admin` includes every permission.'),
    expiresAt: time.optional().describe('Absent if it never expires.'),
  })
  .register(contracts, {
    id: 'Me',
    version: 1,
    example: {
      kind: 'key',
      id: '3f7a0c6b9d1e2f48',
      name: 'reporting',
      tenant: 'acme',
      grants: [{ permissions: ['read'], collections: 'acme.*' }],
      expiresAt: '2027-01-01T00:00:00.000Z',
    },
  });
export type MeView = Described<typeof me>;
