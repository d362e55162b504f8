import type { SaxesTagNS } from 'saxes';
import { atomNamespace } from './namespace.ts';
import type { Dialect } from './dialect.ts';
import type { Format } from './payload.ts';
import type { StrictParser } from './strict-parser.ts';

/** What holds the items of a document, and the rule that there is one. */
export const containers = {
  atom: {
    name: 'feed',
    rule: 'feed-root',
    section: 'RFC 4287 4.1.1',
    sentence: 'An Atom document has one feed',
  },
  rss: { name: 'channel', rule: 'rss-channel', section: 'RSS 2.0', sentence: 'An RSS feed has one channel' },
  opml: { name: 'body', rule: 'opml-body', section: 'OPML 1.0', sentence: 'An OPML document has one body' },
} as const satisfies Record<Format, unknown>;

/** What a document may be that is read as an outline alone. */
export const outlineDocuments: Dialect['documents'] = {
  formats: ['opml'],
  section: 'OPML 1.0',
  sentence: 'an OPML document has an opml element',
};

/**
 * The format of a document by its root, which the parser has just read. Throws `FeedError` (rule `feed-root`)
 * for another than is expected.
 */
export function readRoot(
  root: Pick<SaxesTagNS, 'local' | 'uri'>,
  { formats, section, sentence }: Dialect['documents'],
  parser: StrictParser,
): Format {
  const format = formatOf(root);
  if (format !== undefined && formats.includes(format)) return format;
  const namespace = root.uri === '' ? 'no namespace' : JSON.stringify(root.uri.slice(0, 100));
  return parser.fail(
    'feed-root',
    section,
    `The root is ${JSON.stringify(root.local.slice(0, 100))} in ${namespace}; ${sentence}.`,
  );
}

function formatOf({ local, uri }: Pick<SaxesTagNS, 'local' | 'uri'>): Format | undefined {
  if (local === 'feed' && uri === atomNamespace) return 'atom';
  return local === 'rss' || local === 'opml' ? local : undefined;
}
