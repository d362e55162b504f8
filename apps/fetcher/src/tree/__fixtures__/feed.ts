/**
 * An item of a feed: its guid, the day of January 2026 that its date says, and its links as they are written.
 */
export type ItemText = readonly [guid: string, day: number, ...links: string[]];

export const file = (url: string): string => `<csx:link>${url}</csx:link>`;
export const nested = (url: string): string => `<csx:link nestedFeed="true">${url}</csx:link>`;
export const onDemand = (url: string, isFeed = false): string =>
  `<csx:link onDemand="true" nestedFeed="${isFeed}">${url}</csx:link>`;

/** A feed that is dated as the newest of its items. */
export function feed(title: string, ...items: readonly ItemText[]): string {
  const date = (day: number): string => `${String(day).padStart(2, '0')} Jan 2026 00:00:00 GMT`;
  const newest = Math.max(1, ...items.map(([, day]) => day));
  const written = items.map(
    ([guid, day, ...links]) =>
      `<item><guid>${guid}</guid><csx:lastBuildDate>${date(day)}</csx:lastBuildDate>${links.join('')}</item>`,
  );
  return (
    '<rss version="2.0" xmlns:csx="http://schemas.microsoft.com/rss/2007/contentsyncextensions">' +
    `<channel><title>${title}</title><lastBuildDate>${date(newest)}</lastBuildDate>` +
    `${written.join('\n')}</channel></rss>`
  );
}
