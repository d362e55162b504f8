import { z } from 'zod';
import { contracts } from '../registry.ts';
import { positiveIntegerText } from './integer-text.ts';

/** What every list takes. */
export const pageParameters = {
  limit: positiveIntegerText.optional().describe('How many at most; 100 by default.'),
  cursor: z.string().optional().describe('`next` of the page before.'),
};
export const pageQuery = z.strictObject(pageParameters);

/** One page of a list. */
export interface Page<Entry> {
  readonly items: readonly Entry[];
  /** The cursor of the next page, if there may be one. */
  readonly next?: string;
}

/** The schema of one page of a list, under a name, with an example entry. */
export function page<Entry extends z.ZodType>(id: string, entry: Entry, example: z.infer<Entry>) {
  const schema = z.object({
    items: z.array(entry),
    next: z.string().optional().describe('The cursor of the next page, if there may be one.'),
  });
  const cursor = 'dG9kbw';
  contracts.add(schema, {
    id,
    version: 1,
    example: { items: [example], next: cursor } as z.input<typeof schema>,
  });
  return schema;
}
