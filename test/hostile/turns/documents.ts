/** A document that is large, or takes long to read, and what comes of it: an outcome or a rule. */
export interface LongDocument {
  readonly name: string;
  readonly body: () => string;
  readonly contentType?: string;
  /** How many of its items are taken in, at the least; or the rule by which it is refused. */
  readonly expected: number | string;
  /** Whether the subscription is to find the feed of a page. */
  readonly discover?: true;
}

const numbers = (count: number): number[] => Array.from({ length: count }, (_, number) => number);

const rss = (items: string, head = ''): string =>
  `<?xml version="1.0"?><rss version="2.0"><channel><title>F</title>${head}${items}</channel></rss>`;

const item = (name: number | string, text: string): string =>
  `<item><title>${name}</title><guid>${name}</guid><description>${text}</description></item>`;

const jsonFeed = (items: string): string =>
  `{"version":"https://jsonfeed.org/version/1.1","title":"F","items":[${items}]}`;

const million = 1_000_000;

/** Documents up to the limits of a fetcher, with what may take time for each of their characters. */
export const longDocuments: readonly LongDocument[] = [
  {
    name: 'a JSON Feed of a million items',
    body: () =>
      jsonFeed(
        numbers(million)
          .map((n) => `{"id":"${n % 10}"}`)
          .join(','),
      ),
    expected: 'limit-elements',
  },
  {
    name: 'a JSON Feed of 16 MB',
    body: () =>
      jsonFeed(
        numbers(4000)
          .map((n) =>
            JSON.stringify({ id: n, title: `A ${n}`, content_html: '<b>lorem</b> ipsum '.repeat(200) }),
          )
          .join(','),
      ),
    expected: 2000,
  },
  {
    name: 'JSON that is nested deep',
    body: () => jsonFeed(`{"id":1,"tags":${'['.repeat(2 * million)}${']'.repeat(2 * million)}}`),
    expected: 'limit-elements',
  },
  {
    name: 'a page of tags that do not end',
    body: () => `<html><head><link></head><body>${'<b>'.repeat(800_000)}`,
    contentType: 'text/html',
    expected: 'feed-root',
  },
  {
    name: 'a page of tags that do not end, on which a feed is looked for',
    body: () => `<html><head></head><body>${'<b>'.repeat(800_000)}`,
    contentType: 'text/html',
    discover: true,
    expected: 'no-feed-link',
  },
  {
    name: 'a broken feed of 16 MB',
    body: () =>
      rss(
        numbers(4000)
          .map((n) => item(n, `A & ${'&lt;b>lorem ipsum '.repeat(200)}`))
          .join(''),
      ),
    expected: 3000,
  },
  {
    name: 'a broken feed of items alone',
    body: () => rss('<item>'.repeat(2_500_000)),
    expected: 'limit-items',
  },
  {
    name: 'a broken feed of less-than signs',
    body: () => rss(item(1, '< '.repeat(7 * million))),
    expected: 0,
  },
  {
    name: 'a broken feed in RSS 1.0 of short items',
    body: () =>
      '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/">' +
      `<channel rdf:about="x"><title>F</title></channel>${numbers(60_000)
        .map((n) => `<item rdf:about="http://x.example/${n}"><title>A & ${n}</title></item>`)
        .join('')}</rdf:RDF>`,
    expected: 60_000,
  },
  {
    name: 'a feed of 100,000 short items',
    body: () =>
      rss(
        numbers(100_000)
          .map((n) => `<item><title>A ${n}</title><guid>${n}</guid></item>`)
          .join(''),
      ),
    expected: 100_000,
  },
  {
    name: 'a feed of 40 MB',
    body: () =>
      rss(
        numbers(400)
          .map((n) => item(n, 'lorem ipsum '.repeat(8000)))
          .join(''),
      ),
    expected: 150,
  },
  {
    name: 'items of 4 MB',
    body: () => rss([0, 1, 2].map((n) => item(n, 'lorem &lt;i> a:b '.repeat(240_000))).join('')),
    expected: 3,
  },
  {
    name: 'items of 4 MB of elements',
    body: () =>
      rss(
        [0, 1, 2]
          .map((n) => `${item(n, '').slice(0, -7)}<x:a xmlns:x="u">${'<x:b/>'.repeat(650_000)}</x:a></item>`)
          .join(''),
      ),
    expected: 3,
  },
  {
    name: 'an item of 60 MB',
    body: () =>
      rss(`<item><guid>a</guid><a>${'<b c="d">lorem</b> '.repeat(3 * million)}</a></item>${item(1, '')}`),
    expected: 1,
  },
  {
    name: 'a head of 1 MB of foreign elements',
    body: () => {
      const names = numbers(200).map((n) => ` xmlns:n${n}="u${n}"`);
      return rss(item(1, ''), '<n1:a/>'.repeat(145_000)).replace('<channel', `<channel${names.join('')}`);
    },
    expected: 1,
  },
  {
    name: 'a head of tombstones',
    body: () =>
      "<feed xmlns='http://www.w3.org/2005/Atom' xmlns:at='http://purl.org/atompub/tombstones/1.0'>" +
      numbers(12_000)
        .map((n) => `<at:deleted-entry ref="${n}"/>`)
        .join('') +
      '<entry><id>a</id><title>A</title></entry></feed>',
    expected: 1,
  },
  {
    name: 'items that pass a limit',
    body: () =>
      rss(
        numbers(50_000)
          .map((n) => `<item>${'<a>'.repeat(70)}${n}${'</a>'.repeat(70)}</item>`)
          .join(''),
      ),
    expected: 0,
  },
];
