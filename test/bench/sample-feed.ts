const words = (
  'milk eggs butter bread rolls cheese apples coffee tea sugar flour rice pasta beans salt pepper onions ' +
  'carrots'
).split(' ');

/**
 * A FeedSync feed in Atom, piece by piece, so that a large one is never in memory: items of about 0.9 KB,
 * each different.
 */
export function* sampleFeed(items: number, run: string): Generator<string> {
  yield (
    '<?xml version="1.0" encoding="utf-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom" ' +
      `xmlns:sx="http://feedsync.org/2007/feedsync">\n<title>${run}</title>\n<id>urn:sample:${run}</id>\n` +
      '<updated>2026-01-01T00:00:00Z</updated>\n<author><name>sample</name></author>\n'
  );
  for (let index = 0; index < items; index += 1) yield sampleEntry(index, run);
  yield '</feed>\n';
}

function sampleEntry(index: number, run: string): string {
  const text = Array.from(
    { length: 82 },
    (_, place) => words[(index * 7 + place * (1 + (index % 5))) % words.length],
  ).join(' ');
  const second = String(index % 60).padStart(2, '0');
  const minute = String(Math.floor(index / 60) % 60).padStart(2, '0');
  return `<entry>
 <title>Item ${index}: ${words[index % words.length]}</title>
 <id>urn:sample:${run}:${index}</id>
 <updated>2026-01-01T00:${minute}:${second}Z</updated>
 <author><name>sample</name></author>
 <category term="${words[(index * 3) % words.length]}"/>
 <content type="text">${text}</content>
 <sx:sync id="sample.${run}.${index}" updates="2">
  <sx:history sequence="2" when="2026-01-01T00:${minute}:${second}Z" by="sample:b"/>
  <sx:history sequence="1" when="2025-12-31T00:${minute}:${second}Z" by="sample:a"/>
 </sx:sync>
</entry>
`;
}
