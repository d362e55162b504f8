import type { Collection } from '#core';
import { cseProtocol } from '#cse';
import { feedsyncProtocol } from '#feedsync';
import type { Adoption, FeedTreeProtocol, Protocol, SharingProtocol } from '#protocol';
import { sseProtocol } from '#sse';

/** The protocols that a collection can have, by name: one line each. */
export const protocols = new Map<string, SharingProtocol | FeedTreeProtocol>([
  ['feedsync', feedsyncProtocol],
  ['sse', sseProtocol],
  ['cse', cseProtocol],
]);

const sharingProtocols = [...protocols.values()].filter((protocol) => protocol.structure === 'items');

/** The protocols whose collections are trees of feeds. */
export const feedTreeProtocols = [...protocols.values()].filter(
  (protocol) => protocol.structure === 'feed-tree',
);

/** The namespaces of all protocols' synchronisation data. */
export const synchronisationNamespaces = sharingProtocols.flatMap(({ dialect }) => dialect.namespaces);

// What may stand before the root: white space, comments, processing instructions, a document type.
const prolog = /^\uFEFF?(?:\s+|<!--[^]*?-->|<\?[^]*?\?>|<!DOCTYPE[^<>]*>)*/;
const declaration = /\sxmlns(?::[^\s=]+)?\s*=\s*(?:"([^"]*)"|'([^']*)')/g;

/**
 * Returns the protocol whose synchronisation data a document has, as its first characters show: the one that
 * has outlines for an outline, else the one whose namespace is declared first, else the first one.
 */
export function protocolOfDocument(beginning: string): SharingProtocol {
  const root = beginning.slice(prolog.exec(beginning)?.[0].length ?? 0);
  const found = /^<opml[\s/>]/.test(root)
    ? sharingProtocols.find(({ dialect }) => dialect.documents.formats.includes('opml'))
    : [...root.matchAll(declaration)]
        .map(([, inDouble, inSingle = '']) => inDouble ?? inSingle)
        .map((declared) => sharingProtocols.find(({ dialect }) => dialect.namespaces.includes(declared)))
        .find((protocol) => protocol !== undefined);
  return found ?? feedsyncProtocol;
}

type OfProtocol = Pick<Collection, 'protocol'>;

/** The protocol of a collection. Throws `TypeError` if there is none of its name. */
export function protocolOf({ protocol: name }: OfProtocol): Protocol {
  return registered(name);
}

/**
 * Whether a collection is a tree of feeds, which has one source; items of the others have versions to merge.
 */
export function isFeedTree({ protocol: name }: OfProtocol): boolean {
  return registered(name).structure === 'feed-tree';
}

/** How a collection takes in items without synchronisation data; undefined if it leaves them out. */
export function adoptionOf({ protocol: name }: OfProtocol): Adoption | undefined {
  const protocol = registered(name);
  return protocol.structure === 'items' ? protocol.adoption : undefined;
}

/**
 * The protocol of a collection whose items have versions to merge. Throws `TypeError` for a tree of feeds.
 */
export function sharingProtocolOf({ protocol: name }: OfProtocol): SharingProtocol {
  const protocol = registered(name);
  if (protocol.structure === 'items') return protocol;
  throw new TypeError(`Items of the protocol ${name} have no versions to merge.`);
}

function registered(name: string): SharingProtocol | FeedTreeProtocol {
  const protocol = protocols.get(name);
  if (protocol === undefined)
    throw new TypeError(`There is no protocol ${name}; there are ${[...protocols.keys()].join(', ')}.`);
  return protocol;
}
