/** The id of the item. */
export const conflictedItem = 'conflicted';

/**
 * A feed in Atom with one item that has so many conflicts: versions that endpoints have made each by itself,
 * which are as short as versions can be, so that 10,000 of them can be published.
 * @param endpoints what the endpoints' names begin with
 */
export function* conflictFeed(conflicts: number, endpoints: string): Generator<string> {
  yield (
    '<?xml version="1.0" encoding="utf-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom" ' +
      'xmlns:sx="http://feedsync.org/2007/feedsync">\n<title>conflicts</title>\n<id>urn:sample:c</id>\n' +
      '<updated>2026-01-01T00:00:00Z</updated>\n<author><name>sample</name></author>\n'
  );
  yield `${versionStart(`${endpoints}.winner`, '12')}<sx:conflicts>`;
  for (let index = 0; index < conflicts; index += 1)
    yield `${versionStart(`${endpoints}.${index}`, '06')}</sx:sync></entry>\n`;
  yield '</sx:conflicts></sx:sync></entry>\n</feed>\n';
}

/** A version up to its history, of the given hour. */
function versionStart(by: string, hour: string): string {
  return (
    `<entry><title>${by}</title><sx:sync id="${conflictedItem}" updates="1">` +
    `<sx:history sequence="1" when="2026-01-02T${hour}:00:00Z" by="${by}"/>`
  );
}
