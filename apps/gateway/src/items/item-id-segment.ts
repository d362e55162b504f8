import { z } from 'zod';
import { textOfPathSegment } from '#contracts';

const rule =
  'an id in a path is percent-encoded, or "~" and the base64url of its UTF-16 code units; "." and ".." ' +
  'only the latter';

/**
 * The id of an item as it stands in a path, after percent-decoding: `pathSegment` of `#messages` writes it.
 */
export const itemIdSegment = z
  .string()
  .transform((segment, context) => {
    const id = textOfPathSegment(segment);
    // An id with half a surrogate pair is in no feed, and the store would take it for another one.
    if (id !== undefined && !/\p{Cs}/u.test(id)) return id;
    context.addIssue({ code: 'custom', message: rule });
    return z.NEVER;
  })
  .describe(
    'The id of an item, percent-encoded or, which every id can be, `~` and the base64url of its UTF-16 ' +
      'code units.',
  );
