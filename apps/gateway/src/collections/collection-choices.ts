import { z } from 'zod';
import { isNamespaceSpecificString } from '#feedsync';

/** An endpoint's identifier. */
export const endpointIdentifier = z
  .string()
  .max(500)
  .refine(
    isNamespaceSpecificString,
    'an endpoint identifier is a Namespace Specific String (RFC 2141; FeedSync 2.1.1)',
  );

/**
 * Elements of an Atom entry that can be shared; `atom:id` and `atom:updated` of what is published are always
 * the publisher's own.
 */
const atomElement = z.union([
  z.enum([
    'title',
    'content',
    'summary',
    'category',
    'rights',
    'author',
    'contributor',
    'published',
    'source',
  ]),
  z
    .string()
    .max(200)
    .regex(/^link:[^\s:/]\S*$/, 'an element of an Atom entry, or "link:" and a relation'),
]);

/**
 * Elements of an RSS item that can be shared; `guid` and `pubDate` of what is published are always the
 * publisher's own.
 */
const rssElement = z.enum([
  'title',
  'description',
  'link',
  'category',
  'enclosure',
  'author',
  'comments',
  'source',
]);

/**
 * What of an item is shared data (Implementation Notes, Note 1): names of elements, Atom links as `link:` and
 * their relation. Foreign markup always is.
 */
export const sharedElements = z.strictObject({
  atom: z.array(atomElement).max(100).optional(),
  rss: z.array(rssElement).max(100).optional(),
});

/** A programmatic resolution (FeedSync 3.4). Every endpoint of a mesh must have the same. */
export const resolutionPolicy = z.discriminatedUnion('policy', [
  z.strictObject({ policy: z.literal('latest') }),
  z.strictObject({
    policy: z.literal('prefer-endpoint'),
    endpoint: endpointIdentifier,
  }),
  z.strictObject({
    policy: z.literal('module'),
    module: z
      .string()
      .max(100)
      .regex(/^[^\s=,]+$/, 'the name of a module that the operator has given to the merger'),
  }),
]);
