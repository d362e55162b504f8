import { manyAttributes } from './feeds/attributes.ts';
import { broken } from './feeds/broken.ts';
import { conflictBombs } from './feeds/conflicts.ts';
import { documents } from './feeds/documents.ts';
import { encodings } from './feeds/encodings.ts';
import { entities } from './feeds/entities.ts';
import { heads } from './feeds/heads.ts';
import { identifiers } from './feeds/identifiers.ts';
import { namespaces } from './feeds/namespaces.ts';
import { nesting } from './feeds/nesting.ts';
import { simpleSharing } from './feeds/simple-sharing.ts';
import { texts } from './feeds/texts.ts';
import { trees } from './feeds/trees.ts';
import { versions } from './feeds/versions.ts';
import { isStress } from '../support/stress.ts';
import type { HostileFeed } from './hostile-feed.ts';

const families: readonly (readonly HostileFeed[])[] = [
  manyAttributes,
  broken,
  conflictBombs,
  documents,
  encodings,
  entities,
  heads,
  identifiers,
  namespaces,
  nesting,
  simpleSharing,
  texts,
  trees,
  versions,
];

/** What takes longest, as it is as large as a feed may be: a third of the time of all. */
const largest = new Set([
  'conflicts/14-of-a-megabyte',
  'conflicts/more-than-may-be',
  'conflicts/with-a-long-base',
  'documents/brotli-bomb',
  'encodings/carriage-returns',
  'entities/character-references',
  'namespaces/long-name-before-a-colon',
  'nesting/too-many-elements',
  'nesting/wide',
  'opml/long-chain',
  'texts/195000-empty-categories',
  'texts/grows-in-rss',
  'texts/many-links',
  'texts/wide-characters',
  'trees/large-item',
  'versions/warnings-without-end',
]);

/** Set to try only feeds whose name contains it. */
const only = process.env['HOSTILE_ONLY'] ?? '';

/** Every hostile feed, by family; the largest in the long form only, or if they are requested. */
export const corpus: readonly HostileFeed[] = families
  .flat()
  .filter(({ name }) => (only ? name.includes(only) : isStress || !largest.has(name)));
