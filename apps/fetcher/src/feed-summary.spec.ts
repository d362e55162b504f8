import { feedsyncDialect } from '#feedsync';
import { sseDialect } from '#sse';
import { expect, test } from '@jest/globals';
import { FeedScanner } from '#xml';
import type { FeedHead } from '#xml';
import { sharingProtocolOf, synchronisationNamespaces } from '#protocols';
import { summarizeFeed } from './feed-summary.ts';

function summaryOf(
  head: FeedHead,
  markupLength: number,
  protocol = 'feedsync',
): ReturnType<typeof summarizeFeed> {
  const markup = sharingProtocolOf({ protocol }).republishedMarkup(head, synchronisationNamespaces);
  return summarizeFeed(head, markup, markupLength);
}

function headOf(children: string): FeedHead {
  const scanner = new FeedScanner(feedsyncDialect);
  scanner.write(
    '<feed xmlns="http://www.w3.org/2005/Atom" xmlns:sx="http://feedsync.org/2007/feedsync" ' +
      `xmlns:x="urn:x">${children}</feed>`,
  );
  return scanner.end();
}

test('a feed is summarized by its title, its foreign markup and the feeds it has incorporated', () => {
  const summary = summaryOf(
    headOf(`<title>All of us</title><id>urn:feed</id><x:place>Kiel</x:place><sx:sharing>
    <sx:related type="complete" link="http://a.example/all"/>
    <sx:related type="aggregated" link="http://b.example/feed" title="B"/>
    <sx:related type="aggregated" link="http://c.example/feed"/>
  </sx:sharing>`),
    1000,
  );
  expect(summary).toEqual({
    title: 'All of us',
    markup: [expect.stringContaining('Kiel')],
    aggregated: [{ link: 'http://b.example/feed', title: 'B' }, { link: 'http://c.example/feed' }],
  });
});

test('a feed that says nothing has an empty summary', () => {
  expect(summaryOf(headOf('<id>urn:feed</id>'), 1000)).toEqual({ markup: [], aggregated: [] });
});

test('markup that does not fit is left out, and what fits beside it is kept', () => {
  const head = headOf(`<x:a>one</x:a><x:b>${'long '.repeat(100)}</x:b><x:c>two</x:c>`);
  const [one = '', , two = ''] = summaryOf(head, 10_000).markup;
  expect(two).toContain('two');
  expect(summaryOf(head, one.length + two.length).markup).toEqual([one, two]);
  expect(summaryOf(head, one.length + two.length - 1).markup).toEqual([one]);
  expect(summaryOf(head, 0).markup).toEqual([]);
});

test('however long a head is, its summary can be stored', () => {
  const character = '\u4e16';
  const link = `http://a.example/${character}`;
  const related = `<sx:related type="aggregated" link="${link}" title="${character.repeat(9000)}"/>`;
  const head = headOf(
    `<title>${character.repeat(50_000)}</title><sx:sharing>${related.repeat(100)}</sx:sharing>`,
  );
  const { title, aggregated } = summaryOf(head, 1000);
  expect(title).toHaveLength(4096);
  expect(aggregated).toHaveLength(62);
  expect(aggregated[0]?.title).toHaveLength(4096);
});

test('of a feed with Simple Sharing Extensions, markup is not kept, and what it has incorporated is', () => {
  const scanner = new FeedScanner(sseDialect);
  scanner.write(`
    <rss version="2.0" xmlns:sx="http://www.microsoft.com/schemas/rss/sse" xmlns:x="urn:x">
      <channel>
        <title>Family</title>
        <x:place>Kiel</x:place>
        <sx:sharing version="0.91">
          <sx:related link="http://y.example/B.xml" type="aggregated" title="Dad's"/>
        </sx:sharing>
      </channel>
    </rss>`);
  expect(summaryOf(scanner.end(), 1000, 'sse')).toEqual({
    title: 'Family',
    markup: [],
    aggregated: [{ link: 'http://y.example/B.xml', title: "Dad's" }],
  });
});
