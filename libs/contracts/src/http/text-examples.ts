const sync =
  '<sx:sync xmlns:sx="http://feedsync.org/2007/feedsync" id="groceries" updates="1">' +
  '<sx:history sequence="1" when="2026-01-01T10:00:00Z" by="example.org:todo"/></sx:sync>';

const entry =
  '<entry xmlns="http://www.w3.org/2005/Atom"><id>urn:example:1</id><title>Buy groceries</title>' +
  '<updated>2026-01-01T10:00:00Z</updated></entry>';

/** An outline with one feed. */
export const opmlExample =
  '<opml version="2.0"><head><title>Reading list</title></head><body><outline text="News" ' +
  'xmlUrl="http://example.org/feed"/></body></opml>';

/** The media types of OPML, each with an example. */
export const opmlTexts = {
  'text/x-opml': opmlExample,
  'application/xml': opmlExample,
  'text/xml': opmlExample,
} as const;

/** The media types of one item as XML, each with an example. */
export const itemTexts = {
  'application/atom+xml': entry,
  'application/rss+xml': '<item><title>Buy groceries</title></item>',
  'text/x-opml': opmlExample,
} as const;

/** The media types of feeds for feed readers, each with an example. */
export const readerTexts = {
  'application/atom+xml':
    '<feed xmlns="http://www.w3.org/2005/Atom"><id>urn:feedmesh:example.org:todo</id>' +
    `<title>To do</title><updated>2026-01-01T10:00:00Z</updated>${entry}</feed>`,
  'application/rss+xml':
    '<rss version="2.0"><channel><title>To do</title><link>https://here.example</link>' +
    '<description>To do</description><item><title>Buy groceries</title></item></channel></rss>',
} as const;

/** The media types of synchronised feeds, each with an example. */
export const feedTexts = {
  'application/atom+xml': readerTexts['application/atom+xml'].replace('</entry>', `${sync}</entry>`),
  'application/rss+xml': readerTexts['application/rss+xml'].replace('</item>', `${sync}</item>`),
  'text/x-opml': opmlExample,
};
