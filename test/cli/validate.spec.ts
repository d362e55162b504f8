import { join } from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import { cseRules } from '#cse';
import { feedsyncRules } from '#feedsync';
import { sseRules } from '#sse';
import { formatRules } from '#xml';
import { run } from '../../apps/cli/src/run.ts';
import type { CseOperation } from '../conformance/cse-case/cse-operation.ts';
import { readCases } from '../conformance/read-cases.ts';
import type { SseOperation } from '../conformance/sse-case/sse-operation.ts';
import { atomEntry, atomFeed, rssFeed, rssItem } from './feeds.ts';
import { closeServers, localServer } from './local-server.ts';
import { memoryIo } from './memory-io.ts';
import { temporaryFolder } from './temporary-folder.ts';

const folder = temporaryFolder();
afterEach(closeServers);

const allowed = ['--allow-network', '127.0.0.1/32'];

const good = atomEntry('a', 'A', [['me', 1]]);
const noHistory = '<entry><title>B</title><sx:sync id="b" updates="0"/></entry>';

describe('validate', () => {
  test('says nothing on stdout and ends with 0 for a feed that keeps the rules', async () => {
    const file = await folder.write('good.xml', atomFeed([good]));
    const io = memoryIo();
    expect(await run(['validate', file], io)).toBe(0);
    expect(io.out()).toBe('');
    expect(io.err()).toBe(`${file}: valid, 1 item (1 with sync data), 0 errors, 0 warnings\n`);
  });

  test(
    'lists every violation in the order of places, with line, column, severity, rule and section, and ' +
      'ends with 1',
    async () => {
      const file = await folder.write(
        'bad.xml',
        atomFeed([good, noHistory, atomEntry('c', 'C', [['me', 0]])]),
      );
      const io = memoryIo();
      expect(await run(['validate', file], io)).toBe(1);
      const lines = io.out().trimEnd().split('\n');
      for (const line of lines)
        expect(line).toMatch(/bad\.xml:\d+:\d+: error: .+ \[[a-z-]+, FeedSync 2\.\d\]$/);
      expect(lines.map((line) => Number(/:(\d+):\d+: /.exec(line)?.[1]))).toEqual([9, 9, 10, 10]);
      expect(io.err()).toContain('not valid, 3 items (3 with sync data), 4 errors, 0 warnings');
    },
  );

  test.each([
    ['peer.example/feed', 'https://peer.example/feed'],
    ['localhost:8080/feed', 'http://localhost:8080/feed'],
  ])('names %s as a URL without a scheme', async (source, url) => {
    const io = memoryIo();
    expect(await run(['validate', source], io)).toBe(2);
    expect(io.err()).toContain(`if it is a URL, it has no scheme: did you mean \`${url}\`?`);
  });

  test('allows warnings unless it is strict', async () => {
    const file = await folder.write('twice.xml', atomFeed([good, good]));
    const lenient = memoryIo();
    expect(await run(['validate', file], lenient)).toBe(0);
    expect(lenient.out()).toMatch(/:9:\d+: warning: the id "a" is also that of the item in line 8; /);
    expect(lenient.out()).toContain(' [sync-id-unique, FeedSync 2.4]\n');
    expect(await run(['validate', '--strict', file], memoryIo())).toBe(1);
  });

  test('lists where a document stops being well-formed, after the violations before that point', async () => {
    const file = await folder.write('cut.xml', atomFeed([noHistory, good]).slice(0, -10));
    const io = memoryIo();
    expect(await run(['validate', file], io)).toBe(1);
    const lines = io.out().trimEnd().split('\n');
    expect(lines.length).toBeGreaterThan(1);
    expect(lines.at(0)).toContain(':8:');
    expect(lines.at(-1)).toMatch(
      /cut\.xml:9:\d+: error: This is an Atom feed, but its XML is broken\. Not well-formed/,
    );
  });

  test('reports violations of the head', async () => {
    const io = memoryIo({ stdin: atomFeed([good], { extra: '<sx:sharing since="1"/>' }) });
    expect(await run(['validate', '--strict', '-'], io)).toBe(1);
    expect(io.err()).toMatch(/^stdin: not valid, 1 item/);
    expect(io.out()).toMatch(/^stdin:7:\d+: warning: .*until.*FeedSync 2\.2\]/);
  });

  test('says how many items of an ordinary feed a subscription would adopt', async () => {
    const one = '<item><title>one</title></item>';
    const other = '<item><title>other</title></item>';
    const ordinary = memoryIo({ stdin: rssFeed([one, other]) });
    expect(await run(['validate', '-'], ordinary)).toBe(0);
    expect(ordinary.err()).toBe(
      'stdin: valid, 2 items (0 with sync data), 0 errors, 0 warnings\n' +
        'stdin: A subscription would adopt 2 items.\n',
    );
    const mixed = memoryIo({ stdin: rssFeed([rssItem('a', 'A', 'me'), one]) });
    expect(await run(['validate', '-'], mixed)).toBe(0);
    expect(mixed.err()).toContain(
      '\nstdin: A subscription would adopt 1 item without synchronisation data.\n',
    );
  });

  test('says which items a subscription would leave out, and why', async () => {
    const items = ['<item><title>one</title></item>', '<item/>', '<item><title>one</title></item>'];
    const io = memoryIo({ stdin: rssFeed(items) });
    await run(['validate', '-'], io);
    expect(io.out()).toMatch(
      /^stdin:8:\d+: warning: 1 item without an id, .* was left out\. \[item-empty, /m,
    );
    expect(io.err()).toContain(
      '\nstdin: A subscription would adopt 1 item.\n' +
        'stdin: 1 item would be left out: 1 item without an id, a link, a title or any content.\n' +
        'stdin: 1 item repeats another or is withdrawn.\n',
    );
    const sharing = '<sx:sharing since="1" until="2"/>';
    const synchronised = memoryIo({ stdin: rssFeed([sharing, '<item><title>plain</title></item>']) });
    await run(['validate', '-'], synchronised);
    expect(synchronised.err()).toMatch(
      /would adopt 0 items\.\nstdin: 1 item would be left out: the feed is synchronised \(sx:sharing\), .*/,
    );
  });

  const rdf =
    '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/">' +
    '<channel/><item><title>A</title></item></rdf:RDF>';
  const oldAtom =
    '<feed version="0.3" xmlns="http://purl.org/atom/ns#"><title>T</title><entry><title>A</title>' +
    '<id>a</id></entry></feed>';
  const jsonFeed =
    '{"version":"https://jsonfeed.org/version/1.1","title":"x","items":[{"id":"a","content_text":"A"}]}';
  test.each([
    ['an RSS 1.0 feed (RDF)', 'rdf', 'rss', rdf],
    ['an Atom 0.3 feed', 'atom-0.3', 'atom', oldAtom],
    ['a JSON Feed', 'json-feed', 'atom', jsonFeed],
  ])('knows %s as a feed that subscriptions adopt', async (name, kind, format, stdin) => {
    const io = memoryIo({ stdin });
    expect(await run(['validate', '--strict', '-'], io)).toBe(0);
    expect(io.err()).toContain(`\nstdin: This is ${name}. A subscription would adopt 1 item.\n`);
    const json = memoryIo({ stdin });
    await run(['validate', '-o', 'json', '-'], json);
    expect(JSON.parse(json.out())).toMatchObject({
      document: { kind, name },
      format,
      plainItems: 1,
      adoptedItems: 1,
      leftOutItems: 0,
    });
  });

  test('reports what is mended of a broken feed as warnings', async () => {
    const stdin =
      '<rss version="2.0"><channel><title>Salt & pepper</title>\n' +
      '<item><title>A</title></item></channel></rss>';
    const io = memoryIo({ stdin });
    expect(await run(['validate', '-'], io)).toBe(0);
    expect(io.out()).toMatch(/^stdin:1:\d+: warning: .* \[mended-reference, XML 1\.0\]\n$/);
    expect(io.err()).toContain('valid, 1 item (0 with sync data), 0 errors, 1 warning\n');
    expect(await run(['validate', '--strict', '-'], memoryIo({ stdin }))).toBe(1);
  });

  test.each([
    [
      'an HTML page, not a feed',
      '<!DOCTYPE html>\n<html><head><title>Not found</title></head><body><p>Not here<br></body></html>',
    ],
    [
      'an HTML page, not a feed; it names these feeds: https://blog.example/feed (News)',
      '<!DOCTYPE html><html><head><link rel="alternate" type="application/rss+xml" title="News" ' +
        'href="https://blog.example/feed"></head></html>',
    ],
    ['a sitemap, not a feed', '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url/></urlset>'],
    [
      'a single Atom entry, not a feed',
      '<entry xmlns="http://www.w3.org/2005/Atom"><title>A</title><id>urn:a</id></entry>',
    ],
    [
      'an RSS 2.0 feed, but its XML is broken',
      '<rss version="2.0"><channel><title>Salt & pepper</title></channel></rss>',
    ],
  ])('says that a document is %s', async (what, stdin) => {
    const io = memoryIo({ stdin });
    expect(await run(['validate', '-'], io)).toBe(1);
    expect(io.out()).toMatch(/^stdin:\d+:\d+: error: /);
    expect(io.out()).toContain(`: This is ${what}.`);
  });

  test('reports entries with two titles, contents or alternate links as errors', async () => {
    const link = '<link href="http://a.example/"/>';
    const parts = ['<title>A</title>', '<content>B</content>', link];
    const entry = `<entry><id>urn:a</id><updated>2026-01-01T00:00:00Z</updated>\n${parts.join('\n')}`;
    const twice = memoryIo({ stdin: atomFeed([`${entry}\n${parts.join('\n')}</entry>`]) });
    expect(await run(['validate', '-'], twice)).toBe(1);
    expect(twice.out().trimEnd().split('\n')).toEqual([
      expect.stringMatching(/^stdin:12:1: error: .* \[atom-entry-multiple, RFC 4287 4\.1\.2\]$/),
      expect.stringMatching(/^stdin:13:1: error: .* \[atom-entry-multiple, RFC 4287 4\.1\.2\]$/),
      expect.stringMatching(/^stdin:14:1: error: .* \[atom-entry-alternate, RFC 4287 4\.1\.2\]$/),
    ]);
    const once = memoryIo({ stdin: atomFeed([`${entry}</entry>`]) });
    expect(await run(['validate', '--strict', '-'], once)).toBe(0);
  });

  test('prints JSON', async () => {
    const io = memoryIo({
      stdin: rssFeed([
        rssItem('a', 'A', 'me'),
        '<item><title>plain</title></item>',
        '<item><sx:sync id="b" updates="1"/></item>',
      ]),
    });
    expect(await run(['validate', '-o', 'json', '-'], io)).toBe(1);
    expect(JSON.parse(io.out())).toMatchObject({
      source: '-',
      valid: false,
      errors: 1,
      warnings: 0,
      format: 'rss',
      items: 3,
      syncedItems: 2,
      plainItems: 1,
      violations: [{ severity: 'error', section: 'FeedSync 2.5', line: 9 }],
    });
  });

  test('reads a URL in the character encoding that its response names', async () => {
    const server = await localServer((_, response) => {
      response
        .setHeader('content-type', 'application/atom+xml; charset=iso-8859-1')
        .end(Buffer.from(atomFeed([good], { title: 'Caf\u00e9' }), 'latin1'));
    });
    expect(await run(['validate', server.url, ...allowed], memoryIo())).toBe(0);
  });

  test('ends with 2 if there is nothing to read', async () => {
    const io = memoryIo();
    expect(await run(['validate', folder.path('missing.xml')], io)).toBe(2);
    expect(io.err()).toContain('cannot read');
    const closed = await localServer(() => undefined);
    await closeServers();
    const refused = memoryIo();
    expect(await run(['validate', closed.url, ...allowed], refused)).toBe(2);
    expect(refused.err()).toContain('ECONNREFUSED');
  });

  test('takes control characters out of what it shows', async () => {
    const io = memoryIo({ stdin: atomFeed([good.replace('sequence="1"', 'sequence="1&#x85;[31m"')]) });
    expect(await run(['validate', '-'], io)).toBe(1);
    expect(io.out()).not.toMatch(/\p{Cc}(?<!\n)/u);
  });

  test('shows progress and colours on a terminal only, and no colours if NO_COLOR is set', async () => {
    const file = await folder.write('colours.xml', atomFeed([noHistory]));
    const [person, plain] = [
      memoryIo({ terminal: true }),
      memoryIo({ terminal: true, environment: { NO_COLOR: '1' } }),
    ];
    for (const io of [person, plain]) expect(await run(['validate', file], io)).toBe(1);
    expect(person.out()).toContain('\u001b[31merror\u001b[39m');
    expect(person.err()).toContain(`\r\u001b[K${file}: 1 item\r\u001b[K`);
    expect(plain.out()).not.toContain('\u001b');
  });
});

const csx = 'xmlns:csx="http://schemas.microsoft.com/rss/2007/contentsyncextensions"';

/** A feed of a tree, an item a line from line 4 on. */
function treeFeed(built: string, items: readonly string[]): string {
  return (
    `<rss version="2.0" ${csx}><channel><title>T</title><link>http://a.example/</link><description/>\n` +
    `<lastBuildDate>${built}</lastBuildDate>` +
    `\n\n${items.join('\n')}\n</channel></rss>`
  );
}

describe('validate of a feed of a tree', () => {
  const [first, second] = ['Mon, 02 Oct 2006 12:00:00 GMT', 'Tue, 03 Oct 2006 12:00:00 GMT'];
  const item = (guid: string, built: string, rest = ''): string =>
    `<item><title>A</title><guid isPermaLink="false">${guid}</guid>` +
    `<csx:lastBuildDate>${built}</csx:lastBuildDate>${rest}</item>`;

  test('says nothing if it keeps the rules, also if its date is later than that of each item', async () => {
    const io = memoryIo({
      stdin: treeFeed(second, [
        item('a', first, '<x:y xmlns:x="urn:x"><csx:link>a.jpg</csx:link></x:y>'),
        item('b', first),
      ]),
    });
    expect(await run(['validate', '--strict', '-'], io)).toBe(0);
    expect(io.out()).toBe('');
    expect(io.err()).not.toContain('without synchronisation data');
  });

  test(
    'names what violates the rules of its items, a guid that occurs twice, and a channel that is older ' +
      'than an item',
    async () => {
      const io = memoryIo({
        stdin: treeFeed(first, [
          '<item><title>none</title></item>',
          item('a', first),
          item('a', second, '<csx:link/>'),
        ]),
      });
      expect(await run(['validate', '-o', 'json', '-'], io)).toBe(1);
      const { violations } = JSON.parse(io.out()) as {
        violations: { rule: string; line: number; severity: string }[];
      };
      expect(violations.map(({ rule, line, severity }) => `${rule} ${severity} ${line}`)).toEqual([
        'cse-channel-date warning 1',
        'cse-guid-required warning 4',
        'cse-guid-unique warning 6',
        'cse-link-empty error 6',
      ]);
    },
  );

  test('requires nothing of it if the namespace is declared and not used', async () => {
    expect(
      await run(
        ['validate', '--strict', '-'],
        memoryIo({ stdin: treeFeed(first, ['<item><title>none</title></item>']) }),
      ),
    ).toBe(0);
  });
});

describe('validate over the conformance cases', () => {
  const root = join(import.meta.dirname, '../conformance');
  // These have no markup of Content Sync Extensions in an item, and so are not taken for feeds of a tree.
  const plainFeeds = ['item-date/pub-date-no-date', 'item-date/pub-date-syntax', 'guid/same-twice-violation'];
  const cases = [
    ...readCases(join(root, 'feedsync')).map((one) => ({ ...one, protocol: 'feedsync' })),
    ...readCases<SseOperation>(join(root, 'sse')).map((one) => ({ ...one, protocol: 'sse' })),
    ...readCases<CseOperation>(join(root, 'cse'))
      .filter(({ name }) => !plainFeeds.includes(name))
      .map((one) => ({ ...one, protocol: 'cse' })),
  ];
  const planted = cases.flatMap((one) =>
    one.operation === 'validate' ? [{ ...one, violations: one.expected.violations }] : [],
  );

  test('names every planted violation with its rule, section, severity and position, no other', async () => {
    const [found, expected]: [Record<string, unknown>, Record<string, unknown>] = [{}, {}];
    for (const { name, protocol, documents, violations } of planted) {
      const io = memoryIo();
      const file = await folder.write('input.xml', documents.text('input.xml'));
      await run(['validate', '-o', 'json', file], io);
      const answer = JSON.parse(io.out()) as {
        violations: { rule: string; section: string; severity: string; line: number; column: number }[];
      };
      found[`${protocol} ${name}`] = {
        violations: answer.violations
          .filter(({ rule }) => !isOfFormat(rule))
          .map(({ rule, section, severity, line, column }) =>
            [rule, section, severity, line, column].join(' '),
          )
          .toSorted(),
      };
      expected[`${protocol} ${name}`] = {
        violations: violations
          .map(({ rule, severity, line, column }) =>
            [rule, sections.get(rule), severity, line, column].join(' '),
          )
          .toSorted(),
      };
    }
    expect(found).toEqual(expected);
  });

  test('has a planted violation for every rule of FeedSync and SSE', () => {
    const covered = new Set(planted.flatMap(({ violations }) => violations.map(({ rule }) => rule)));
    const rules = Object.keys({ ...feedsyncRules, ...sseRules });
    expect(rules.filter((rule) => !covered.has(rule))).toEqual([]);
  });
});

/** Whether a rule is one of Atom and RSS, which the cases break, or says that a plain item is left out. */
function isOfFormat(rule: string): boolean {
  return rule in formatRules || rule === 'item-synchronised';
}

const sections: ReadonlyMap<string, string> = new Map([
  ['xml-well-formed', 'XML 1.0'],
  ['rss-channel', 'RSS 2.0'],
  ...Object.entries({ ...feedsyncRules, ...sseRules, ...cseRules }).map(
    ([name, { section }]) => [name, section] as const,
  ),
]);
