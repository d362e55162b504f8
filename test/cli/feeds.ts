/** The text of small feeds, and of large ones, for merging. */
const namespaces = 'xmlns="http://www.w3.org/2005/Atom" xmlns:sx="http://feedsync.org/2007/feedsync"';

/** An Atom feed with the given entries. */
export function atomFeed(entries: readonly string[], { title = 'To Do List', extra = '' } = {}): string {
  return `<?xml version="1.0" encoding="utf-8"?>
<feed ${namespaces}>
  <title>${title}</title>
  <id>urn:uuid:60a76c80-d399-11d9-b93c-0003939e0aaa</id>
  <updated>2005-05-21T11:43:33Z</updated>
  <author><name>Ray Ozzie</name></author>
  ${extra}
  ${entries.join('\n  ')}
</feed>
`;
}

/** An entry; each update is written as `by` and a sequence, the most recent one first. */
export function atomEntry(
  id: string,
  title: string,
  updates: readonly (readonly [by: string, sequence: number])[],
): string {
  const history = updates.map(
    ([by, sequence]) =>
      `<sx:history sequence="${sequence}" when="2005-05-21T09:43:${String(sequence).padStart(2, '0')}Z" ` +
      `by="${by}"/>`,
  );
  return (
    `<entry><title>${title}</title><id>urn:example:${id}</id><updated>2005-05-21T11:43:33Z</updated>` +
    `<sx:sync id="${id}" updates="${updates[0]?.[1]}">${history.join('')}</sx:sync></entry>`
  );
}

export function rssFeed(items: readonly string[]): string {
  return `<?xml version="1.0"?>
<rss version="2.0" xmlns:sx="http://feedsync.org/2007/feedsync">
 <channel>
  <title>To Do List</title>
  <description>A list of items to do</description>
  <link>http://example.com/partial.xml</link>
  ${items.join('\n  ')}
 </channel>
</rss>
`;
}

export function rssItem(id: string, title: string, by: string, updates = 1): string {
  const history = Array.from(
    { length: updates },
    (_, index) => `<sx:history sequence="${updates - index}" by="${by}"/>`,
  );
  return (
    `<item><title>${title}</title><sx:sync id="${id}" updates="${updates}">${history.join('')}` +
    '</sx:sync></item>'
  );
}
