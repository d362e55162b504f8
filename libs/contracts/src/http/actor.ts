import { z } from 'zod';
import type { Described } from '../registry.ts';

/** Who has changed something. */
export const actor = z.object({
  kind: z
    .string()
    .describe(
      '`key`, `certificate`, `token`, `administrator`, `operator`, or `anyone` where no key is needed.',
    ),
  id: z.string().describe('The id of the key; of a token its issuer and subject.'),
  name: z.string().optional().describe('The name of the key; the subject of a token.'),
  subject: z.string().optional().describe('The subject of the client certificate.'),
});
export type ActorView = Described<typeof actor>;
