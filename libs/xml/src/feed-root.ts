import type { SaxesTagNS } from 'saxes';
import { atomNamespace } from './namespace.ts';
import type { Dialect, Format } from './payload.ts';
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

interface Expectation {
  readonly formats: readonly Format[];
  readonly section: string;
  readonly sentence: string;
}

/** What a document may be that is read for the items of a dialect, or as an outline alone. */
const expectations: Readonly<Record<Dialect | 'opml', Expectation>> = {
  feedsync: {
    formats: ['atom', 'rss'],
    section: 'RFC 4287 4.1.1, RSS 2.0',
    sentence: 'a feed has an Atom feed or an rss element',
  },
  sse: {
    formats: ['rss', 'opml'],
    section: 'SSE 1',
    sentence: 'a feed of Simple Sharing Extensions has an rss or an opml element',
  },
  opml: { formats: ['opml'], section: 'OPML 1.0', sentence: 'an OPML document has an opml element' },
};

/**
 * The format of a document by its root, which the parser has just read. Throws `FeedError` (rule `feed-root`)
 * for another than is expected.
 */
export function readRoot(
  root: Pick<SaxesTagNS, 'local' | 'uri'>,
  expected: Dialect | 'opml',
  parser: StrictParser,
): Format {
  const { formats, section, sentence } = expectations[expected];
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
