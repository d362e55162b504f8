import { z } from 'zod';
import { grant } from '../access.ts';
import { contracts } from '../registry.ts';
import type { Described } from '../registry.ts';
import { page } from './page.ts';
import { time } from './time.ts';
import { xmlText } from './xml-text.ts';

const subject = z.string().regex(/^[^\p{Cc}]{1,1000}$/u, '1 to 1,000 characters, none of them a control');
const grants = z
  .array(grant)
  .min(1)
  .max(50)
  .describe('What the key permits, and for which collections; `admin` includes every permission.');

/** A key that is to be issued. */
export const accessKeyBody = z
  .strictObject({
    name: xmlText.min(1).max(100).describe('What people call it: the program or the person that has it.'),
    grants,
    subject: subject
      .optional()
      .describe(
        'The subject of a client certificate, as the proxy in front of the gateway names it: whoever shows ' +
          'that needs no key. Only with `admin` for `*`.',
      ),
    expiresAt: time.optional().describe('When it expires; never by default.'),
  })
  .register(contracts, {
    id: 'AccessKeyBody',
    version: 1,
    example: { name: 'reporting', grants: [{ permissions: ['read'], collections: 'todo-*' }] },
  });
export type AccessKeyBody = z.infer<typeof accessKeyBody>;

/** How a key is rotated. */
export const rotationBody = z
  .strictObject({
    overlapSeconds: z
      .number()
      .int()
      .min(0)
      .max(7_776_000)
      .optional()
      .describe('Seconds in which the former secret is accepted beside the new one; an hour by default.'),
  })
  .register(contracts, { id: 'RotationBody', version: 1, example: { overlapSeconds: 86_400 } });

const shown = {
  id: z.string(),
  name: z.string(),
  grants,
  subject: z.string().optional().describe('The subject of the client certificate that stands for it.'),
  createdAt: time,
  expiresAt: time.optional(),
  lastUsedAt: time.optional().describe('About when it was last used.'),
  formerUntil: time.optional().describe('Until when the secret before the last rotation is accepted.'),
};
const example = {
  id: '3f7a0c6b9d1e2f48',
  name: 'reporting',
  grants: [{ permissions: ['read' as const], collections: 'todo-*' }],
  createdAt: '2026-01-02T03:04:05.000Z',
};

/** A key as it is shown. */
export const accessKey = z.object(shown).register(contracts, { id: 'AccessKey', version: 1, example });
export type AccessKeyView = Described<typeof accessKey>;

/** A key that was issued or rotated: shown with its secret this once. */
export const issuedKey = z
  .object({
    ...shown,
    key: z
      .string()
      .optional()
      .describe(
        'What to send as `Authorization: Bearer`; shown this once. Absent if a certificate stands for it.',
      ),
    address: z
      .string()
      .optional()
      .describe(
        'Of a key with the permission `feeds` alone: what addresses of feeds begin with for a reader that ' +
          'can send no key.',
      ),
  })
  .register(contracts, {
    id: 'IssuedKey',
    version: 1,
    example: { ...example, key: `fm_3f7a0c6b9d1e2f48_${'A'.repeat(43)}` },
  });
export type IssuedKeyView = Described<typeof issuedKey>;

export const accessKeyPage = page('AccessKeyPage', accessKey, example);
