const words = (
  'milk eggs butter bread rolls cheese apples coffee tea sugar flour rice pasta beans salt pepper onions ' +
  'carrots'
).split(' ');

/**
 * A FeedSync feed in Atom, piece by piece, so that a large one is never in memory: items of about 0.9 KB,
 * each different.
 * @param run what the items' ids begin with
 */
export function* sampleFeed(items: number, run: string): Generator<string> {
  yield feedStart(run);
  for (let index = 0; index < items; index += 1) yield sampleEntry(index, run, 2);
  yield '</feed>\n';
}

/**
 * A partial feed with the items of the given numbers, changed.
 * @param version the updates of each, from 3 on
 */
export function* changedFeed(indexes: Iterable<number>, run: string, version: number): Generator<string> {
  yield feedStart(run);
  for (const index of indexes) yield sampleEntry(index, run, version);
  yield '</feed>\n';
}

/** One item with so many updates, as XML. */
export function sampleEntry(index: number, run: string, updates: number): string {
  const text = Array.from(
    { length: 82 },
    (_, place) => words[(index * 7 + updates + place * (1 + (index % 5))) % words.length],
  ).join(' ');
  const second = String(index % 60).padStart(2, '0');
  const minute = String(Math.floor(index / 60) % 60).padStart(2, '0');
  const day = String(updates).padStart(2, '0');
  const history = Array.from({ length: updates }, (_, place) => {
    const sequence = updates - place;
    const when = `2026-01-${String(sequence).padStart(2, '0')}T00:${minute}:${second}Z`;
    return `  <sx:history sequence="${sequence}" when="${when}" by="sample:${sequence % 2 ? 'a' : 'b'}"/>\n`;
  }).join('');
  return `<entry>
 <title>Item ${index}: ${words[index % words.length]}</title>
 <id>urn:sample:${run}:${index}</id>
 <updated>2026-01-${day}T00:${minute}:${second}Z</updated>
 <author><name>sample</name></author>
 <category term="${words[(index * 3) % words.length]}"/>
 <content type="text">${text}</content>
 <sx:sync id="sample.${run}.${index}" updates="${updates}">
${history} </sx:sync>
</entry>
`;
}

function feedStart(run: string): string {
  return (
    '<?xml version="1.0" encoding="utf-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom" ' +
    `xmlns:sx="http://feedsync.org/2007/feedsync">\n<title>${run}</title>\n<id>urn:sample:${run}</id>\n` +
    '<updated>2026-01-01T00:00:00Z</updated>\n<author><name>sample</name></author>\n'
  );
}
