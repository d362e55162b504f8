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

/** Set to try only feeds whose name contains it. */
const only = process.env['HOSTILE_ONLY'] ?? '';

/** Every hostile feed, by family. */
export const corpus: readonly HostileFeed[] = families.flat().filter(({ name }) => name.includes(only));
