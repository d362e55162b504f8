import { z } from 'zod';
import { contracts } from '../registry.ts';
import type { Described } from '../registry.ts';
import { page } from './page.ts';
import { time } from './time.ts';

/** What a file is known by. */
export const fileDigest = z
  .string()
  .regex(/^[0-9a-f]{64}$/, 'a file is known by its SHA-256, 64 hexadecimal digits in lower case');

const fileFields = {
  digest: fileDigest,
  length: z.number().int().describe('In bytes.'),
  type: z.string().optional().describe('Its media type.'),
  url: z.string(),
};
const digest = 'ab'.repeat(32);
const storedExample = {
  digest,
  length: 4,
  type: 'image/jpeg',
  url: `https://here.example/files/news/${digest}`,
};
const example = { ...storedExample, references: 1, createdAt: '2026-01-01T10:00:00.000Z' };

/** A file that was just stored. */
export const storedFile = z
  .object(fileFields)
  .register(contracts, { id: 'StoredFile', version: 1, example: storedExample });
export type StoredFileView = Described<typeof storedFile>;

/** A file of a tree. */
export const file = z
  .object({
    ...fileFields,
    references: z
      .number()
      .int()
      .describe('How many items link to it, and how many documents of the cache are these bytes.'),
    createdAt: time,
    unreferencedSince: time.optional(),
  })
  .register(contracts, { id: 'File', version: 1, example });
export type FileView = Described<typeof file>;

export const filePage = page('FilePage', file, example);
