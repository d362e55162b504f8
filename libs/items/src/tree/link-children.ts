import { cseNamespace } from '#cse';
import type { Child, Payload } from '#xml';
import type { TreeContent, TreeLink } from '#core';

/** What of an item its links stand in. */
type LinkedData = Pick<TreeContent, 'data' | 'links'>;

/** A link to write, with the address that stands in it until it is read. */
export type NewLink = Omit<TreeLink, 'place'> & { readonly address: string };

/** The item without the csx:link that stand directly in it; those in its other children stay. */
export function withoutLinkChildren({ data, links }: LinkedData): LinkedData {
  const kept = [...data.children.entries()].filter(
    ([, child]) => !(child.namespace === cseNamespace && child.name === 'link'),
  );
  const numbers = new Map(kept.map(([before], number) => [before, number]));
  const staying = links.flatMap((link) => {
    const child = numbers.get(link.place.child);
    return child === undefined ? [] : [{ ...link, place: { ...link.place, child } }];
  });
  return { data: { ...data, children: kept.map(([, child]) => child) }, links: staying };
}

/** The item with these links after its other children, each a csx:link of its own. */
export function withLinkChildren({ data, links }: LinkedData, added: readonly NewLink[]): LinkedData {
  const written = added.map(({ address, ...link }, index) => {
    const start =
      `<csx:link xmlns:csx="${cseNamespace}"${link.nestedFeed ? ' nestedFeed="true"' : ''}` +
      `${link.onDemand ? ' onDemand="true"' : ''}>`;
    const text = address.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
    const place = {
      child: data.children.length + index,
      start: start.length,
      end: start.length + text.length,
    };
    return {
      child: { namespace: cseNamespace, name: 'link', xml: `${start}${text}</csx:link>` },
      link: { place, ...link },
    };
  });
  return {
    data: { ...data, children: [...data.children, ...written.map(({ child }) => child)] },
    links: [...links, ...written.map(({ link }) => link)],
  };
}

/** The payload without csx:lastBuildDate, which is written when the item is read. */
export function withoutBuildDate(data: Payload): Payload {
  const isBuildDate = (child: Child): boolean =>
    child.namespace === cseNamespace && child.name === 'lastBuildDate';
  return { ...data, children: data.children.filter((child) => !isBuildDate(child)) };
}
