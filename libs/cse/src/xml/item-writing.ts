import { escapeText, neededScope, rfc822Date, placeScope, writeAttributes } from '#xml';
import { cseNamespace } from './namespace.ts';
import type { Payload, Bindings } from '#xml';
import { guidOf, isGuid } from './guid.ts';
import { isLastBuildDate, withoutHidden } from './item-reading.ts';
import type { LinkPlace } from './link-occurrence.ts';

/** The bindings that `writeCseFeedStart` declares for the items of a feed. */
const feedBindings: Bindings = new Map([['csx', cseNamespace]]);

/** What of an item is ours to say. */
export interface CseItemContext {
  /** RFC 3339. */
  readonly lastBuildDate: string;
  /** Where the addresses of links stand in the payload, in document order. */
  readonly places: readonly LinkPlace[];
  /** What is written there, one for each place; absolute URLs. */
  readonly addresses: readonly string[];
}

/**
 * The item as it stands inside a feed that `writeCseFeedStart` began: the children of its payload as they
 * were but for the addresses of links, and csx:lastBuildDate last (CSE, Extensions). Where the payload says
 * no guid, this one is written, first. Throws `FeedError` (rule `xml-character`) for text that XML can't
 * hold, `RangeError` for a date that is none.
 * @param item `data` is a payload of RSS
 */
export function writeCseItem(
  item: { readonly guid: string; readonly hidden: boolean; readonly data: Payload },
  { lastBuildDate, places, addresses }: CseItemContext,
): string {
  const { children, scope, format, attributes = [] } = withoutHidden(item.data);
  const texts = withAddresses(
    children.map(({ xml }) => xml),
    places,
    addresses,
  );
  const written = children.map((child, number) => ({ ...child, xml: texts[number] ?? '' }));
  const { declarations, bindings, writeChild } = placeScope(
    { format, scope: neededScope({ scope, attributes, children: written }) },
    feedBindings,
    ['csx'],
    false,
  );
  const marks = item.hidden ? [{ namespace: cseNamespace, name: 'hiddenItem', value: 'true' }] : [];
  const hasGuid = guidOf(item.data) !== undefined;
  let start = `<item${declarations}${writeAttributes([...attributes, ...marks], bindings)}>`;
  if (!hasGuid && item.guid !== '') start += `<guid isPermaLink="false">${escapeText(item.guid)}</guid>`;
  const own = written.filter((child) => !isLastBuildDate(child) && (hasGuid || !isGuid(child)));
  return (
    `${start}${own.map(({ xml }) => writeChild(xml)).join('')}<csx:lastBuildDate>` +
    `${rfc822Date(lastBuildDate)}</csx:lastBuildDate></item>`
  );
}

/**
 * The children with each place in them replaced by its address. In time that grows with their length, however
 * many places there are.
 */
function withAddresses(
  children: readonly string[],
  places: readonly LinkPlace[],
  addresses: readonly string[],
): string[] {
  const written = children.map((): string[] => []);
  const ends = new Map<number, number>();
  for (const [number, { child, start, end }] of places.entries()) {
    written[child]?.push(
      children[child]?.slice(ends.get(child) ?? 0, start) ?? '',
      escapeText(addresses[number] ?? ''),
    );
    ends.set(child, end);
  }
  return children.map((xml, child) => `${written[child]?.join('') ?? ''}${xml.slice(ends.get(child) ?? 0)}`);
}
