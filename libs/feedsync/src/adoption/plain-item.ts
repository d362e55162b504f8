import { mendItem } from '#plain-feeds';
import type { FeedContext } from '#plain-feeds';
import { adoptedSharedElements, declareOn, sharedPayload } from '#xml';
import type { Child, Fragment, Payload } from '#xml';
import { readItem } from '../xml/item-reading.ts';
import type { LeftReason } from './left-items.ts';
import { plainIdentity } from './plain-identity.ts';
import type { PlainIdentity } from './plain-identity.ts';
import { plainMark } from './plain-mark.ts';
import { withWebCharacters } from './web-characters.ts';

/** An item of a plain feed, and what was read of it. */
export interface PlainItem {
  /** Mended. */
  readonly fragment: Fragment;
  readonly identity: PlainIdentity;
  readonly mark: string;
  /** Whether several with one identifier are versions of one item, as in Atom (RFC 4287 4.1.1). */
  readonly hasVersions: boolean;
}

/** Reads and mends an item of a plain feed; returns why it can't be adopted if it can't. */
export function readPlainItem(given: Fragment, feed: FeedContext): PlainItem | LeftReason {
  const fragment = { ...given, xml: withWebCharacters(given.xml) };
  const read = readItem(fragment);
  if (read.kind === 'item') return 'synchronised';
  if (read.kind === 'rejected') return 'unread';
  if (read.payload.children.some(({ name }) => name === 'sync')) return 'synchronised';
  if (!fragment.xml.includes('</')) return 'empty';
  const payload = mendItem(read.payload, feed);
  const identity = plainIdentity(payload);
  if ((identity.identifier ?? identity.link ?? identity.digest) === undefined) return 'empty';
  const mark = plainMark(sharedPayload(payload, adoptedSharedElements));
  const hasVersions = payload.format === 'atom' && identity.identifier !== undefined;
  const mended = { ...fragment, xml: rewritten(fragment.xml, read.payload, payload) };
  return { fragment: mended, identity, mark, hasVersions };
}

/** The XML of an item with the children and the base that it has once it is mended. */
function rewritten(xml: string, { children: own, scope: { base } }: Payload, mended: Payload): string {
  const { children, scope } = mended;
  const isSame = own.length === children.length && scope.base === base;
  if (isSame && own.every((child, index) => child === children[index])) return xml;
  const [first] = own;
  const end = xml.lastIndexOf('</');
  const start = first === undefined ? end : xml.indexOf(first.xml);
  const all = `${xml.slice(0, start)}${children.map((child: Child) => child.xml).join('')}${xml.slice(end)}`;
  return scope.base === base ? all : declareOn(all, { namespaces: [], base: scope.base });
}
