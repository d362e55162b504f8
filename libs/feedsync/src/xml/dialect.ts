import { feedDocuments } from '#xml';
import { syncNamespace } from './namespace.ts';
import { readSharing } from './sharing-reading.ts';
import type { Dialect } from '#xml';
import { writeSharing } from './sharing-writing.ts';

/** The markup of FeedSync 1.0.2. */
export const feedsyncDialect: Dialect = {
  namespaces: [syncNamespace],
  documents: feedDocuments,
  ordersItems: false,
  readHead: (children) => readSharing(children),
  bindings: () => [['sx', syncNamespace]],
  writeSharing,
};
