import { z } from 'zod';

/** Values that are read from other elements of an item (`payload`), and that an edit does not change. */
const itemDescription = {
  published: z
    .string()
    .optional()
    .describe('RFC 3339, whole seconds, UTC: when it was published, by its own words.'),
  authors: z
    .array(z.object({ name: z.string(), email: z.string().optional(), uri: z.string().optional() }))
    .optional(),
  enclosures: z
    .array(
      z.object({
        url: z.string(),
        length: z.number().int().optional().describe('In bytes.'),
        type: z.string().optional().describe('The media type.'),
      }),
    )
    .optional(),
  image: z.string().optional().describe('The address of its picture.'),
} as const;

/** The content of an item as plain values, and further child elements as XML in `payload`. */
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
  ...itemDescription,
});
