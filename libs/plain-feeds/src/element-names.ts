/** Elements that hold others. */
const containers: ReadonlySet<string> = new Set(['rss', 'rdf:rdf', 'channel', 'feed', 'item', 'entry']);

/** Elements of the formats that hold text alone, or, in Atom, XHTML. */
const texts: ReadonlySet<string> = namesIn(
  'title link description category comments guid pubdate lastbuilddate generator ' +
    'language copyright managingeditor webmaster docs ttl rating width height id updated ' +
    'published summary content rights subtitle icon logo tagline modified issued created ' +
    'content:encoded itunes:summary itunes:subtitle dc:creator dc:date dc:title ' +
    'dc:description media:description media:title excerpt:encoded',
);

/** Elements of HTML that texts of the formats are called like, too. */
const ambiguous: ReadonlySet<string> = new Set(['title', 'link', 'summary', 'content', 'icon']);

/** Whether an element holds other elements of the formats. */
export function isContainer(name: string): boolean {
  return containers.has(name.toLowerCase());
}

/** Whether an element is an item. */
export function isItemName(name: string): boolean {
  return ['item', 'entry'].includes(name.toLowerCase());
}

/** Whether an element holds text. */
export function isText(name: string): boolean {
  return texts.has(name.toLowerCase());
}

/**
 * Whether a start tag in a text must be that of the next element, since the end tag of the text is missing;
 * else it is HTML.
 * @param hasAttributes a link or title of HTML has some, one of RSS has none
 * @param isAtom whether the feed is one of Atom, whose links have attributes
 */
export function beginsElement(
  name: string,
  text: string,
  { hasAttributes, isAtom }: { readonly hasAttributes: boolean; readonly isAtom: boolean },
): boolean {
  const lower = name.toLowerCase();
  if (containers.has(lower)) return true;
  if (!texts.has(lower) && !lower.includes(':')) return false;
  if (!ambiguous.has(lower)) return true;
  return (isAtom ? lower === 'link' || lower === 'title' : !hasAttributes) && lower !== text.toLowerCase();
}

/** The names of RSS as it writes them, by how they are written in small letters. */
export const rssNames: ReadonlyMap<string, string> = new Map(
  Array.from(
    namesIn(
      'rss channel item title link description language copyright managingEditor webMaster ' +
        'pubDate lastBuildDate category generator docs cloud ttl image rating textInput ' +
        'skipHours skipDays author comments enclosure guid source url width height name hour ' +
        'day',
    ),
    (name) => [name.toLowerCase(), name],
  ),
);

function namesIn(text: string): ReadonlySet<string> {
  return new Set(text.split(' '));
}
