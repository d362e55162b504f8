import { z } from 'zod';

/** What a file is known by. */
export const fileDigest = z
  .string()
  .regex(/^[0-9a-f]{64}$/, 'a file is known by its SHA-256, 64 hexadecimal digits in lower case');
