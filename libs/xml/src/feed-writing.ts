import type { FeedDescription } from './feed-description.ts';
import type { FeedHead } from './feed.ts';
import type { Dialect } from './dialect.ts';
import { headChildren } from './head-writing.ts';
import { atomNamespace, formatNamespace } from './namespace.ts';
import { usedBindings } from './needed-scope.ts';
import type { Child, Format } from './payload.ts';
import type { Bindings } from './scope-writing.ts';
import { declareOn, writeDeclaration } from './start-tag.ts';
import { readTree } from './tree.ts';

/**
 * The head of a feed of our own, valid by RFC 4287 (4.1.1), RSS 2.0 or OPML 1.0. Throws `FeedError` for text
 * that XML can't hold (rule `xml-character`) and for markup that is not well-formed.
 */
export function describeFeed(description: FeedDescription): FeedHead {
  const { format, title, sharing, markup = [] } = description;
  const namespaces = [...ownBindings(format), ...(description.namespaces ?? [])];
  const children = [...headChildren(description), ...markup.map(foreignChild)];
  return {
    format,
    title,
    ...(sharing !== undefined && { sharing }),
    children,
    scope: { namespaces },
    violations: [],
  };
}

/**
 * A feed up to its first item. Atom is the default namespace of an Atom feed; RSS and OPML have none, and RSS
 * has Atom as `atom`, the prefix that readers without namespaces look for; the root also declares the
 * bindings of the dialect. `head.sharing` is written: leave it out of a head that was read from another
 * publisher (FeedSync 2.2).
 */
export function writeFeedStart(head: FeedHead, dialect: Dialect): string {
  const bindings = new Map([...ownBindings(head.format), ...dialect.bindings(head.scope)]);
  const declarations = [...bindings]
    .map(([prefix, namespace]) => writeDeclaration(prefix, namespace))
    .join('');
  const missing = missingBindings(head, bindings);
  const write = ({ xml }: Child): string =>
    declareOn(xml, {
      ...head.scope,
      namespaces: [...missing.filter(([prefix]) => prefix === ''), ...usedBindings(xml, missing)],
    });
  const children = head.children.map(write).join('');
  const sharing = head.sharing === undefined ? '' : dialect.writeSharing(head.sharing);
  const { root, container, end } = feedStarts[head.format];
  return (
    `<?xml version="1.0" encoding="utf-8"?>\n<${root}${declarations}>` +
    `${container}${children}${sharing}${end}`
  );
}

const feedStarts = {
  atom: { root: 'feed', container: '', end: '' },
  rss: { root: 'rss version="2.0"', container: '<channel>', end: '' },
  opml: { root: 'opml version="1.0"', container: '<head>', end: '</head><body>' },
} as const;

/** The rest of a feed after its last item. */
export function writeFeedEnd(format: Format): string {
  return feedEnds[format];
}

const feedEnds = { atom: '</feed>\n', rss: '</channel></rss>\n', opml: '</body></opml>\n' } as const;

/** What a feed of a format declares of Atom: by which prefix. */
const atomPrefixes: Readonly<Record<Format, string | undefined>> = { atom: '', rss: 'atom', opml: undefined };

function ownBindings(format: Format): [string, string][] {
  const prefix = atomPrefixes[format];
  return prefix === undefined ? [] : [[prefix, atomNamespace]];
}

/** The bindings that the root does not give to the children of a head. */
function missingBindings({ format, scope }: FeedHead, root: Bindings): (readonly [string, string])[] {
  const inForce = new Map([['', formatNamespace(format)], ...root]);
  return [...new Map([['', ''], ...scope.namespaces])].filter(
    ([prefix, namespace]) => inForce.get(prefix) !== namespace,
  );
}

function foreignChild(xml: string): Child {
  const { namespace, name } = readTree(xml);
  return { namespace, name, xml };
}
