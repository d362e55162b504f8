import { z } from 'zod';

const characters = /^[\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]*$/u;

/** Any text that XML can carry. Not a pattern of the schema: not every reader of one knows such ranges. */
export const xmlText = z
  .string()
  .refine((text) => characters.test(text), 'only characters that XML 1.0 allows');
