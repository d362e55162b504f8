import { sseDialect } from '#sse';
import { feedsyncDialect } from './dialect.ts';
import { expect, test } from '@jest/globals';
import { scan } from './__fixtures__/reading.ts';
import { describeFeed, writeFeedEnd, writeFeedStart, foreignMarkup } from '#xml';
import type { Format } from '#xml';

const synchronisation = [...feedsyncDialect.namespaces, ...sseDialect.namespaces];

const feed = (inside: string, attributes = '') =>
  scan(`<feed xmlns="http://www.w3.org/2005/Atom"${attributes}>${inside}</feed>`).head;
const channel = (inside: string, attributes = '') =>
  scan(`<rss version="2.0"${attributes}><channel>${inside}</channel></rss>`).head;

test('the elements of an Atom feed that neither Atom, RSS nor FeedSync has are foreign markup', () => {
  const head = feed(
    '<title>T</title><x:a b="1">c</x:a><e xmlns="">d</e><sx:other/><icon>i</icon>',
    ' xmlns:x="urn:x" xmlns:sx="http://feedsync.org/2007/feedsync"',
  );
  expect(foreignMarkup(head, synchronisation)).toEqual(['<x:a xmlns:x="urn:x" b="1">c</x:a>']);
});

test('the elements of an RSS channel and the links of its publisher are not', () => {
  const head = channel(
    '<title>T</title><unknown/><atom:link rel="self" href="s"/><x:a/>',
    ' xmlns:atom="http://www.w3.org/2005/Atom" xmlns:x="urn:x"',
  );
  expect(foreignMarkup(head, synchronisation)).toEqual(['<x:a xmlns:x="urn:x"/>']);
  expect(
    foreignMarkup(channel('<title>T</title><x:a xmlns:x="urn:x"/>', ' xmlns="urn:rss"'), synchronisation),
  ).toEqual(['<x:a xmlns:x="urn:x"/>']);
});

test('it is self-contained: bindings, base and language', () => {
  const head = feed(
    '<x:a y:b="1"><title/></x:a>',
    ' xmlns:x="urn:x" xmlns:y="urn:y" xmlns:none="urn:n" xml:base="http://e/" xml:lang="de"',
  );
  expect(foreignMarkup(head, synchronisation)).toEqual([
    '<x:a xmlns:x="urn:x" xmlns:y="urn:y" xml:base="http://e/" xml:lang="de" ' +
      'xmlns="http://www.w3.org/2005/Atom" y:b="1"><title/></x:a>',
  ]);
});

test('it has no comments, but text that looks like one', () => {
  expect(
    foreignMarkup(
      feed('<x xmlns="urn:x"><!-- a <b> -->1<![CDATA[<!-- c -->]]><?p <!-- ?></x>'),
      synchronisation,
    ),
  ).toEqual(['<x xmlns="urn:x">1<![CDATA[<!-- c -->]]><?p <!-- ?></x>']);
});

test.each(['atom', 'rss'] as const)(
  'it means the same in a feed of ours, before sx:sharing (%s)',
  (format: Format) => {
    const markup = foreignMarkup(
      channel('<x:a xmlns:x="urn:x"><b/></x:a><c xmlns="urn:c"/>'),
      synchronisation,
    );
    const description = {
      format,
      title: 'T',
      id: 'urn:t',
      selfUrl: 'http://example.com/',
      updated: '2026-01-01T00:00:00Z',
      author: 'A',
      sharing: { since: '0', until: '1', related: [] },
    };
    const written =
      writeFeedStart(describeFeed({ ...description, markup }), feedsyncDialect) + writeFeedEnd(format);
    expect(written).toMatch(/<x:a [^]*<c [^]*<sx:sharing /);
    expect(foreignMarkup(scan(written).head, synchronisation)).toEqual(markup);
    expect(written).toContain('<x:a xmlns="" xmlns:x="urn:x"><b/></x:a>');
  },
);
