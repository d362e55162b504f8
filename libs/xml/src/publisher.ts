import { escapeAttribute, escapeText } from './escape.ts';
import { atomNamespace, formatNamespace } from './namespace.ts';
import type { Child, Payload } from './payload.ts';
import { rfc822Date } from './rfc822-date.ts';
import { rawAttributes } from './start-tag.ts';

/** What an endpoint that publishes an item says of it on its own behalf. */
export interface PublisherData {
  /** The `atom:id`, or the `guid`, of the item in our feeds; never changes. */
  readonly id: string;
  /** RFC 3339. */
  readonly updated: string;
  /** Where the item is edited. */
  readonly editUrl?: string;
  /** A name for the author of an Atom entry that has none. */
  readonly author?: string;
}

const ownNames: ReadonlyMap<string, readonly string[]> = new Map([
  [atomNamespace, ['id', 'updated']],
  ['', ['guid', 'pubDate']],
]);
const ownRelations: readonly string[] = ['edit', 'edit-media', 'self'];

/**
 * Replaces what belongs to the publisher alone: returns the children that stay, and ours, written to stand
 * behind them in an element whose default namespace is that of the format and that in RSS has Atom as `atom`.
 * What another publisher said in the other format goes as well. An Atom entry gets the title and the author
 * it must have (RFC 4287, 4.1.2), an RSS item a title if it has no description either (RSS 2.0). An
 * outline has nothing that belongs to its publisher.
 */
export function publish(
  { format, children }: Payload,
  publisher: PublisherData,
): { children: readonly Child[]; added: string } {
  if (format === 'opml') return { children, added: '' };
  const kept = children.filter(
    (child) => ownNames.get(child.namespace)?.includes(child.name) !== true && !isOwnLink(child),
  );
  const has = (name: string) =>
    children.some((child) => child.name === name && child.namespace === formatNamespace(format));
  const edit =
    publisher.editUrl === undefined
      ? ''
      : `<${format === 'atom' ? '' : 'atom:'}link rel="edit" href="${escapeAttribute(publisher.editUrl)}"/>`;
  const id = escapeText(publisher.id);
  if (format === 'rss') {
    const title = has('title') || has('description') ? '' : '<title></title>';
    return {
      children: kept,
      added:
        `${title}<guid isPermaLink="false">${id}</guid><pubDate>${rfc822Date(publisher.updated)}` +
        `</pubDate>${edit}`,
    };
  }
  const title = has('title') ? '' : '<title></title>';
  const author =
    publisher.author === undefined || has('author')
      ? ''
      : `<author><name>${escapeText(publisher.author)}</name></author>`;
  return {
    children: kept,
    added: `${title}${author}<id>${id}</id><updated>${escapeText(publisher.updated)}</updated>${edit}`,
  };
}

function isOwnLink(child: Child): boolean {
  if (child.name !== 'link' || child.namespace !== atomNamespace) return false;
  return ownRelations.includes(
    rawAttributes(child.xml)
      .find(({ name }) => name === 'rel')
      ?.value.trim() ?? '',
  );
}
