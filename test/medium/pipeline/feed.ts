/** The head of a feed with `sx:sharing`; `complete` is the address of the complete feed. */
export interface SharingOfFeed {
  readonly since?: string;
  readonly until?: string;
  readonly complete?: string;
}

/**
 * An entry with these histories, the topmost first, each as `sequence by`; `more` are further attributes of
 * `sx:sync`.
 */
export function entry(
  id: string,
  history: readonly string[],
  more = '',
  title = `${id} ${history[0]}`,
): string {
  return entryWithSync(
    id,
    `<sx:sync id="${id}" updates="${history[0]?.split(' ')[0]}"${more && ` ${more}`}>
  ${history.map(historyElement).join('\n  ')}
 </sx:sync>`,
    title,
  );
}

/** An entry with this `sx:sync`, written out. */
export function entryWithSync(id: string, sync: string, title = id): string {
  return `<entry>
 <title>${title}</title>
 <id>urn:sample:${id}</id>
 <updated>2026-01-01T00:00:00Z</updated>
 ${sync}
</entry>`;
}

/** An `sx:history` that was written an hour after the one before it. */
export function historyElement(text: string): string {
  const [sequence = '', by = ''] = text.split(' ');
  return (
    `<sx:history sequence="${sequence}" when="2026-01-01T${sequence.padStart(2, '0')}:00:00Z" ` +
    `by="${by}"/>`
  );
}

/** A feed in Atom with these entries. */
export function feed(entries: readonly string[], sharing?: SharingOfFeed): string {
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xmlns:sx="http://feedsync.org/2007/feedsync">
<title>A feed</title>
<id>urn:sample:feed</id>
<updated>2026-01-01T00:00:00Z</updated>
<author><name>sample</name></author>
${sharing === undefined ? '' : sharingElement(sharing)}
${entries.join('\n')}
</feed>
`;
}

function sharingElement({ since, until, complete }: SharingOfFeed): string {
  const given = Object.entries({ since, until }).flatMap(([name, value]) =>
    value === undefined ? [] : [` ${name}="${value}"`],
  );
  return `<sx:sharing${given.join('')}>${
    complete === undefined ? '' : `<sx:related type="complete" link="${complete}"/>`
  }</sx:sharing>`;
}
