import { z } from 'zod';
import { contracts } from '../registry.ts';
import type { Described } from '../registry.ts';
import { page } from './page.ts';

/** How far the mirror is with a document: `stale` is a copy that is not in step, `waiting` is on its way. */
export const documentState = z.enum(['cached', 'stale', 'on-demand', 'failed', 'waiting']);
export type DocumentState = z.infer<typeof documentState>;

/** Why a document, or its newer version, could not be fetched. */
export const downloadFailure = z.object({ rule: z.string(), reason: z.string() });

const example = {
  url: 'https://news.example/a.jpg',
  nestedFeed: false,
  onDemand: false,
  isRequested: false,
  lastBuildDate: '2026-01-01T10:00:00Z',
  state: 'cached' as const,
  copy: {
    lastBuildDate: '2026-01-01T10:00:00Z',
    length: 4,
    type: 'image/jpeg',
    digest: 'ab'.repeat(32),
    url: `https://here.example/files/news/${'ab'.repeat(32)}`,
  },
};

/** A document that a mirrored tree refers to. */
export const document = z
  .object({
    url: z.string(),
    nestedFeed: z.boolean(),
    onDemand: z.boolean(),
    isRequested: z.boolean().describe('Whether what is on demand was requested.'),
    lastBuildDate: z.string().describe('RFC 3339: the date that the tree says.'),
    state: documentState,
    reason: downloadFailure.optional().describe('Why it, or its newer version, could not be had.'),
    copy: z
      .object({
        lastBuildDate: z.string().describe('RFC 3339: the date that the copy is in step with.'),
        length: z.number().int().describe('In bytes.'),
        type: z.string().optional().describe('Its media type.'),
        digest: z.string().describe('SHA-256, in hexadecimal.'),
        url: z.string(),
      })
      .optional()
      .describe('What there is of it here.'),
  })
  .register(contracts, { id: 'Document', version: 1, example });
export type DocumentView = Described<typeof document>;

export const documentPage = page('DocumentPage', document, example);

/** A link whose target was requested. */
export const requestedLink = z.object({ state: documentState, document }).register(contracts, {
  id: 'RequestedLink',
  version: 1,
  example: {
    state: 'waiting',
    document: { ...example, state: 'waiting', onDemand: true, isRequested: true, copy: undefined },
  },
});
export type RequestedLinkView = Described<typeof requestedLink>;
