/** A link of an item as it stands in a feed. */
export interface SiteLink {
  readonly to: string;
  readonly nestedFeed?: boolean;
  readonly onDemand?: boolean;
  /** Whether it stands in an element of another namespace. */
  readonly isInner?: boolean;
}

export interface SiteItem {
  readonly guid: string;
  readonly title: string;
  readonly hidden: boolean;
  readonly lastBuildDate: Date;
  readonly links: readonly SiteLink[];
}

/** A feed of a tree as its publisher writes it (CSE). */
export function feedXml(title: string, lastBuildDate: Date, items: readonly SiteItem[]): string {
  return [
    '<?xml version="1.0" encoding="utf-8"?>',
    '<rss version="2.0" xmlns:csx="http://schemas.microsoft.com/rss/2007/contentsyncextensions" ' +
      'xmlns:g="urn:example:gallery">',
    `<channel><title>${title}</title><link>http://gallery.example/</link>` +
      '<description>A feed of a tree</description>',
    `<lastBuildDate>${lastBuildDate.toUTCString()}</lastBuildDate>`,
    ...items.map(itemXml),
    '</channel></rss>',
  ].join('\n');
}

function itemXml({ guid, title, hidden, lastBuildDate, links }: SiteItem): string {
  const date = `<csx:lastBuildDate>${lastBuildDate.toUTCString()}</csx:lastBuildDate>`;
  return (
    `<item${hidden ? ' csx:hiddenItem="true"' : ''}><guid isPermaLink="false">${guid}</guid>` +
    `<title>${title}</title>${date}${links.map(linkXml).join('')}</item>`
  );
}

function linkXml({ to, nestedFeed = false, onDemand = false, isInner = false }: SiteLink): string {
  const link =
    `<csx:link${nestedFeed ? ' nestedFeed="true"' : ''}${onDemand ? ' onDemand="true"' : ''}>` +
    to +
    '</csx:link>';
  return isInner ? `<g:photo by="Zoë &amp; co">${link}</g:photo>` : link;
}
