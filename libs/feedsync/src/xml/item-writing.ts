import type { Item } from '../engine/item.ts';
import { atomNamespace, formatNamespace, itemName, publish, placeScope, writeAttributes } from '#xml';
import { syncNamespace } from './namespace.ts';
import type { Format, Payload, PublisherData, Bindings } from '#xml';
import { writeSync } from './sync-writing.ts';

/** The bindings that `writeFeedStart` declares for the items of a feed. */
const feedBindings: Readonly<Record<Format, Bindings>> = {
  atom: new Map([
    ['', formatNamespace('atom')],
    ['sx', syncNamespace],
  ]),
  rss: new Map([
    ['atom', atomNamespace],
    ['sx', syncNamespace],
  ]),
  opml: new Map([['sx', syncNamespace]]),
};

/**
 * The item as it stands inside a feed of its payload's format that `writeFeedStart` began: the children as
 * they were, `sx:sync` (2.4) last. With `publisher`, what belongs to the publisher alone is replaced by its
 * own data; the conflicts stay as they are. Throws `FeedError` (rule `xml-character`) for text that XML can't
 * hold.
 */
export function writeItem(item: Item<Payload>, publisher?: PublisherData): string {
  return writeVersion(item, feedBindings[item.data.format], publisher);
}

function writeVersion(
  { data, sync, conflicts }: Item<Payload>,
  outer: Bindings,
  publisher?: PublisherData,
): string {
  const name = itemName(data.format);
  const { declarations, bindings, writeChild } = placeScope(
    data,
    outer,
    data.format === 'rss' ? ['sx', 'atom'] : ['sx'],
    conflicts.length > 0,
  );
  const { children, added } =
    publisher === undefined ? { children: data.children, added: '' } : publish(data, publisher);
  const attributes = data.attributes === undefined ? '' : writeAttributes(data.attributes, bindings);
  let written = `<${name}${declarations}${attributes}>`;
  for (const child of children) written += writeChild(child.xml);
  const nested = conflicts.map((conflict) => writeVersion(conflict, bindings)).join('');
  return `${written}${added}${writeSync(sync, nested, bindings, writeChild)}</${name}>`;
}
