const namespace = 'https://www.microsoft.com/schemas/rss/sse';

/** An update: the second of the minute, and the endpoint. */
type Update = readonly [second: number, by: string];

/** An OPML document with the given outlines. */
export function outlineDocument(outlines: readonly string[], { extra = '' } = {}): string {
  return `<?xml version="1.0" encoding="utf-8"?>
<opml version="1.0" xmlns:sx="${namespace}">
  <head><title>Subscriptions</title>${extra}</head>
  <body>
  ${outlines.join('\n  ')}
  </body>
</opml>
`;
}

/** A feed of SSE with the given items. */
export function sseFeed(items: readonly string[]): string {
  return `<?xml version="1.0"?>
<rss version="2.0" xmlns:sx="${namespace}">
 <channel><title>To Do List</title><link>http://example.com/</link>
  <description>A list of items to do</description>
  ${items.join('\n  ')}
 </channel>
</rss>
`;
}

/** An outline with those in it; its updates with the most recent one first. */
export function outline(id: string, updates: readonly Update[], inner: readonly string[] = []): string {
  return `<outline text="${id}">${sync(id, updates)}${inner.join('')}</outline>`;
}

export function sseItem(id: string, title: string, updates: readonly Update[]): string {
  return `<item><title>${title}</title>${sync(id, updates)}</item>`;
}

function sync(id: string, [latest, ...earlier]: readonly Update[]): string {
  const stamp = ([second, by]: Update): string =>
    `when="Sat, 21 May 2005 09:43:${String(second).padStart(2, '0')} GMT" by="${by}"`;
  const updates = earlier.map((update) => `<sx:update ${stamp(update)}/>`).join('');
  return latest === undefined
    ? ''
    : `<sx:sync id="${id}" version="${1 + earlier.length}"><sx:history ${stamp(latest)}>${updates}` +
        '</sx:history></sx:sync>';
}
