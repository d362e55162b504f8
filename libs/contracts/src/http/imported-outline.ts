import { z } from 'zod';
import { contracts } from '../registry.ts';
import type { Described } from '../registry.ts';

const count = z.number().int();

/** What an OPML document changed in a collection of outlines: how many of them. */
export const importedOutline = z
  .object({ created: count, updated: count, moved: count, deleted: count, unchanged: count })
  .register(contracts, {
    id: 'ImportedOutline',
    version: 1,
    example: { created: 12, updated: 3, moved: 1, deleted: 0, unchanged: 40 },
  });
export type ImportedOutlineView = Described<typeof importedOutline>;
