import { z } from 'zod';
import { textOfPathSegment } from '../path-segment.ts';
import { pageParameters } from './page.ts';

/** How many items `ids` can name. */
export const namedItems = 100;

/** How many characters `q` can have. */
const searchLength = 200;

const idRule =
  'an id, or "~" and the base64url of its UTF-16 code units, which an id that contains a comma or begins ' +
  'with "~" needs';

/** The ids that a text names, by commas. */
const idList = z.string().transform((text, context) =>
  text.split(',').map((segment) => {
    const id = textOfPathSegment(segment);
    if (id !== undefined && !/\p{Cs}/u.test(id)) return id;
    context.addIssue({ code: 'custom', message: idRule });
    return z.NEVER;
  }),
);

const ids = z
  .union([idList, z.array(idList).transform((lists) => lists.flat())])
  .transform((named) => [...new Set(named)])
  .refine((named) => named.length <= namedItems, `at most ${namedItems} ids`)
  .optional()
  .describe(
    `Only the items with these ids, in this order: at most ${namedItems}, comma-separated or repeated. An ` +
      'id that contains a comma or begins with `~` is written as in a path. Excludes the other selections.',
  );

/** What the list of the items of a collection takes. */
export const itemsQuery = z
  .strictObject({
    ...pageParameters,
    state: z
      .enum(['live', 'deleted', 'conflict'])
      .optional()
      .describe('Only items that are not deleted, that are deleted, or that have conflicts.'),
    deleted: z
      .enum(['true', 'false'])
      .optional()
      .describe('`false` leaves tombstones out, as `state=live` does.'),
    sort: z
      .enum(['published', '-published', 'updated', '-updated'])
      .optional()
      .describe(
        'By `createdAt` (`published`) or `updatedAt` (`updated`), the newest first; with `-` the oldest ' +
          'first. By id if absent.',
      ),
    q: z
      .string()
      .trim()
      .min(1, 'a text to search for')
      .max(searchLength)
      .optional()
      .describe(
        'Only items that contain all of these words in their title, summary or content, in upper or lower ' +
          'case; markup does not count. A page can have fewer items than `limit`, or none, and still a ' +
          '`next`.',
      ),
    ids,
  })
  .superRefine(({ ids: named, state, deleted, sort, q }, context) => {
    const others = Object.entries({ state, deleted, sort, q }).filter(([, value]) => value !== undefined);
    const [other] = others;
    if (named !== undefined && other !== undefined)
      context.addIssue({ code: 'custom', path: ['ids'], message: `can't be combined with ${other[0]}` });
    if (state !== undefined && deleted !== undefined)
      context.addIssue({ code: 'custom', path: ['deleted'], message: "can't be combined with state" });
  });
export type ItemsQuery = z.output<typeof itemsQuery>;
