import { expect, test } from '@jest/globals';
import { readFeed } from './__fixtures__/reading.ts';
import { writeCseFeedEnd, writeCseFeedStart } from './feed-writing.ts';
import { cseHead } from './head-reading.ts';

const channel = (inside: string, attributes = '') =>
  readFeed(`<rss version="2.0"${attributes}><channel>${inside}<item><guid>1</guid></item></channel></rss>`)
    .head;
const headOf = (head: Parameters<typeof cseHead>[0]) => cseHead(head, 'http://site.example/feeds/root.xml');

test('the head has the title, and every other child of the channel as self-contained XML', () => {
  const head = channel(
    '<title> T </title><link>/home</link><pubDate>P</pubDate><lastBuildDate>L</lastBuildDate>' +
      '<x:a y:b="1"><c/></x:a><ttl>5</ttl>',
    ' xmlns:x="urn:x" xmlns:y="urn:y" xmlns:none="urn:n"',
  );
  expect(headOf(head)).toEqual({
    title: 'T',
    markup: [
      '<link xml:base="http://site.example/feeds/root.xml">/home</link>',
      '<pubDate>P</pubDate>',
      '<x:a xmlns:x="urn:x" xmlns:y="urn:y" y:b="1"><c/></x:a>',
      '<ttl>5</ttl>',
    ],
  });
});

test('base, language and default namespace in force are declared', () => {
  const head = channel('<d xmlns=""/><e/>', ' xmlns="urn:d" xml:base="http://e.example/" xml:lang="de"');
  expect(headOf(head)).toEqual({
    title: '',
    markup: [
      '<d xml:base="http://e.example/" xml:lang="de" xmlns=""/>',
      '<e xmlns="urn:d" xml:base="http://e.example/" xml:lang="de"/>',
    ],
  });
});

test('a base that is relative is made absolute', () => {
  const head = channel('<x:a xmlns:x="urn:x" href="page"/>', ' xml:base="deep/"');
  expect(headOf(head)).toEqual({
    title: '',
    markup: ['<x:a xml:base="http://site.example/feeds/deep/" xmlns:x="urn:x" href="page"/>'],
  });
});

test('what names the addresses and dates of the feed that was read is left out', () => {
  const head = channel(
    '<a:link rel="self" href="s"/><a:author/><csx:lastBuildDate/>',
    ' xmlns:a="http://www.w3.org/2005/Atom" xmlns:csx="http://schemas.microsoft.com/rss/2007/' +
      'contentsyncextensions"',
  );
  expect(headOf(head)).toEqual({ title: '', markup: ['<a:author xmlns:a="http://www.w3.org/2005/Atom"/>'] });
});

test('a feed that is written with it says the same', () => {
  const head = headOf(
    channel(
      '<title>T</title><link>l</link><description>D</description><x:a xmlns:x="urn:x"/><image>' +
        '<title>I</title></image>',
      ' xml:lang="de"',
    ),
  );
  const written =
    writeCseFeedStart({
      title: head.title,
      selfUrl: 'http://ours.example/',
      lastBuildDate: '2026-01-01T00:00:00Z',
      head: head.markup,
    }) + writeCseFeedEnd();
  expect(headOf(readFeed(written).head)).toEqual(head);
});

test("what a head says of the publisher's own synchronisation is left out", () => {
  const head = channel('<s:sharing until="1"/><s:other/><x:sharing/>', ' xmlns:s="urn:sync" xmlns:x="urn:x"');
  const { markup } = cseHead(head, 'http://site.example/', ['urn:sync']);
  expect(markup).toEqual(['<s:other xmlns:s="urn:sync"/>', '<x:sharing xmlns:x="urn:x"/>']);
});
