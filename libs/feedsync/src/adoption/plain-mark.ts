import { createHash } from 'node:crypto';
import {
  atomNamespace,
  dublinCoreNamespace,
  dublinCoreTermsNamespace,
  mediaNamespace,
  readMarkup,
} from '#xml';
import type { Child, Payload } from '#xml';
import { sameAddress, withSameAddresses } from './same-address.ts';

const commentsNamespace = 'http://purl.org/rss/1.0/modules/slash/';
const threadNamespace = 'http://purl.org/syndication/thread/1.0';

/** Elements that change while what the item says stays: dates, and counts of comments, views and votes. */
const volatileElements: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['', new Set(['pubDate', 'lastBuildDate', 'comments'])],
  [atomNamespace, new Set(['updated', 'published', 'source'])],
  [dublinCoreNamespace, new Set(['date'])],
  [
    dublinCoreTermsNamespace,
    new Set(['modified', 'issued', 'created', 'date', 'available', 'dateSubmitted']),
  ],
  [commentsNamespace, new Set(['comments', 'hit_parade'])],
  [threadNamespace, new Set(['total'])],
  [mediaNamespace, new Set(['community'])],
  ['http://purl.org/atom/ns#', new Set(['modified', 'issued', 'created'])],
  ['http://wellformedweb.org/CommentAPI/', new Set(['comment', 'commentRss'])],
  ['http://rssnamespace.org/feedburner/ext/1.0', new Set(['origLink'])],
]);

/** Attributes that count. */
const volatileAttributes: ReadonlySet<string> = new Set(['count', 'updated', 'when', 'views', 'viewCount']);

/** Attributes that hold an address. */
const addressAttributes: ReadonlySet<string> = new Set(['href', 'url', 'src', 'resource']);

/**
 * Returns what stands for what an item of a plain feed says, 22 characters: the same whatever its dates, the
 * order of its elements, their prefixes, white space, encoding and counters are, and the parameters of its
 * links that track.
 */
export function plainMark({ children, scope }: Pick<Payload, 'children' | 'scope'>): string {
  const said = children.filter((child) => !isVolatile(child)).map((child) => saidBy(child, scope));
  return createHash('sha256')
    .update(JSON.stringify([...new Set(said)].filter((text) => text !== '').toSorted()))
    .digest('base64url')
    .slice(0, 22);
}

function isVolatile({ namespace, name }: Pick<Child, 'namespace' | 'name'>): boolean {
  return volatileElements.get(namespace)?.has(name) === true;
}

/** One child as a text; empty if it says nothing. */
function saidBy(child: Child, scope: Payload['scope']): string {
  const said: string[] = [];
  let hasContent = false;
  /** How deep the piece stands in an element that is left out. */
  let depthLeftOut = 0;
  for (const piece of readMarkup(child, scope)) {
    if (depthLeftOut > 0) {
      if (piece.kind === 'start') depthLeftOut += 1;
      if (piece.kind === 'end') depthLeftOut -= 1;
      continue;
    }
    if (piece.kind === 'end') said.push('/');
    else if (piece.kind === 'text') {
      const text = withSameAddresses(piece.text).normalize('NFC').replace(/\s+/g, ' ').trim();
      if (text !== '') hasContent = said.push(text) > 0;
    } else if (isVolatile(piece)) depthLeftOut = 1;
    else {
      const attributes = piece.attributes
        .filter(({ name }) => !volatileAttributes.has(name))
        .map(({ namespace, name, value }) =>
          [namespace, name, addressAttributes.has(name) ? sameAddress(value) : value.trim()].join(' '),
        );
      hasContent ||= attributes.length > 0;
      said.push(`<${piece.namespace} ${piece.name}`, ...attributes.toSorted());
    }
  }
  return hasContent ? said.join('\n') : '';
}
