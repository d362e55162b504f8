import { z } from 'zod';

/** The content of an item as plain values; what they can't say is in `payload`, as XML. */
export const itemFields = z.object({
  title: z.string().optional(),
  titleType: z.string().optional().describe('`html` or `xhtml`; absent for plain text.'),
  content: z.string().optional().describe('Atom `content`, RSS `description`.'),
  contentType: z.string().optional(),
  summary: z.string().optional(),
  summaryType: z.string().optional(),
  link: z.string().optional().describe('The alternate link.'),
  categories: z.array(z.string()).optional(),
  rights: z.string().optional(),
  rightsType: z.string().optional(),
  attributes: z
    .record(z.string(), z.string())
    .optional()
    .describe('Of an outline, by name; those of a namespace as `{namespace}name`.'),
  base: z.string().optional().describe('`xml:base`.'),
  language: z.string().optional().describe('`xml:lang`.'),
  payload: z.string().optional().describe('Further child elements, as XML.'),
});
