import { z } from 'zod';
import { collectionName, subscriptionName, tenantName } from '../name.ts';
import { textOfPathSegment } from '../path-segment.ts';
import { fileDigest } from './file.ts';
import { integerText } from './integer-text.ts';
import { treeFeedId } from './tree-feed.ts';

const idRule =
  'an id in a path is percent-encoded, or "~" and the base64url of its UTF-16 code units; "." and ".." ' +
  'only the latter';

/** The id of an item as it stands in a path, after percent-decoding: `pathSegment` writes it. */
export const itemIdSegment = z
  .string()
  .transform((segment, context) => {
    const id = textOfPathSegment(segment);
    // An id with half a surrogate pair is in no feed, and the store would take it for another one.
    if (id !== undefined && !/\p{Cs}/u.test(id)) return id;
    context.addIssue({ code: 'custom', message: idRule });
    return z.NEVER;
  })
  .describe(
    'The id of an item, percent-encoded or, which every id can be, `~` and the base64url of its UTF-16 ' +
      'code units.',
  );

/** The number of a link in its item. */
export const linkNumber = integerText(/^(0|[1-9][0-9]{0,8})$/, 'the number of a link of the item, from 0', {
  minimum: 0,
  maximum: 999_999_999,
});

/** A parameter of a path: what it must be, and an example. */
interface PathParameter {
  readonly schema: z.ZodType;
  readonly example: string;
  readonly description: string;
}

/** The parameters of paths, by name. */
export const pathParameters = {
  collection: { schema: collectionName, example: 'todo', description: 'The name of a collection.' },
  subscription: { schema: subscriptionName, example: 'peer', description: 'The name of a subscription.' },
  id: { schema: z.string(), example: 'groceries', description: itemIdSegment.description ?? '' },
  deletion: { schema: z.string(), example: '3f7a0c6b', description: 'The id of a deletion.' },
  letter: { schema: z.string(), example: 'todo.3f7a', description: 'The id of a dead letter.' },
  key: { schema: z.string(), example: '3f7a0c6b9d1e2f48', description: 'The id of a key.' },
  tenant: { schema: tenantName, example: 'acme', description: 'The name of a tenant.' },
  link: { schema: linkNumber, example: '0', description: 'The number of a link of the item, from 0.' },
  feed: { schema: treeFeedId, example: 'pictures', description: 'The id of a feed of the tree.' },
  format: {
    schema: z.enum(['atom', 'rss', 'opml']),
    example: 'atom',
    description: 'A format that the collection is published in.',
  },
  digest: { schema: fileDigest, example: 'ab'.repeat(32), description: 'The SHA-256 of the file.' },
  token: { schema: z.string(), example: 'cd'.repeat(32), description: 'The token that the hub was given.' },
  name: { schema: z.string(), example: 'a.jpg', description: 'What the address of the file ends in.' },
} as const satisfies Readonly<Record<string, PathParameter>>;
