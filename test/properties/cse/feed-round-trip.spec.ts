import { expect, test } from '@jest/globals';
import { CseFeedReader, cseHead, writeCseFeedEnd, writeCseFeedStart, writeCseItem } from '#cse';
import type { ParsedCseItem } from '#cse';
import { elementsOf, find, meaningOf, withBindingsOf, withUsedBindings } from '../xml/meaning.ts';
import type { Meaning } from '../xml/meaning.ts';
import { runs } from '../feedsync/runs.ts';
import { cseNamespace, randomCseFeed } from './feed-model.ts';
import fc from 'fast-check';

const base = 'http://document.invalid/dir/';
const date = '2026-01-02T03:04:05Z';

function read(feed: string): readonly ParsedCseItem[] {
  const reader = new CseFeedReader({ base });
  const readings = reader.write(Buffer.from(feed));
  reader.end();
  return readings;
}

/** A feed of ours with the items of a feed, whose links keep their addresses. */
function republish(feed: string): string {
  const start = writeCseFeedStart({
    title: 'Ours',
    selfUrl: 'http://ours.example/',
    lastBuildDate: date,
    head: [],
  });
  return start + read(feed).map(rewrite).join('') + writeCseFeedEnd();
}

function rewrite({ item, data, links }: ParsedCseItem): string {
  return writeCseItem(
    { guid: item.id, hidden: item.hidden, data },
    { lastBuildDate: date, places: links.map(({ place }) => place), addresses: links.map(({ url }) => url) },
  );
}

/** What the items of a feed say to a tree, but for their dates. */
function said(feed: string): unknown {
  return read(feed).map(({ item: { lastBuildDate: _ours, ...item }, links }) => ({
    ...item,
    all: links.map(({ place: _place, ...link }) => link),
  }));
}

/** The children of each item but guid and csx:lastBuildDate, with csx:links that have no text. */
function childrenIn(feed: string): Meaning[][] {
  const channel = find(meaningOf(feed), '{}channel') ?? find(meaningOf(feed), '{urn:default}channel');
  const items = channel === undefined ? [] : elementsOf(channel).filter(({ name }) => name.endsWith('}item'));
  return items.map((item) =>
    elementsOf(item)
      .filter(({ name }) => name !== '{}guid' && name !== `{${cseNamespace}}lastBuildDate`)
      .map(withoutAddresses),
  );
}

function withoutAddresses(element: Meaning): Meaning {
  const content =
    element.name === `{${cseNamespace}}link`
      ? []
      : element.content.map((content) => (typeof content === 'string' ? content : withoutAddresses(content)));
  return { ...element, content };
}

test('items that are published again are the same: guid, mark, links with their marks and order', () => {
  fc.assert(
    fc.property(randomCseFeed, (feed) => {
      expect(said(republish(feed))).toEqual(said(feed));
    }),
    runs(150),
  );
});

test('what they hold means the same: names, attributes, text, bindings, base and language', () => {
  fc.assert(
    fc.property(randomCseFeed, (feed) => {
      const before = childrenIn(feed).map((children) => children.map((child) => withUsedBindings(child)));
      const after = childrenIn(republish(feed)).map((children, item) =>
        children.map((child, index) => withBindingsOf(child, before[item]?.[index] ?? child)),
      );
      expect(after).toEqual(before);
    }),
    runs(150),
  );
});

test('a feed that the next one publishes again is the same byte for byte', () => {
  fc.assert(
    fc.property(randomCseFeed, (feed) => {
      const once = republish(feed);
      expect(republish(once)).toBe(once);
    }),
    runs(100),
  );
});

test('a head that is published again says the same', () => {
  fc.assert(
    fc.property(randomCseFeed, (feed) => {
      // The items of the feed, under another name, stand for what a channel may hold beside items.
      const headOf = (document: string) => {
        const reader = new CseFeedReader({ base });
        reader.write(Buffer.from(document));
        return cseHead(reader.end().head, base);
      };
      const { title, markup } = headOf(feed.replace(/<item/g, '<thing').replace(/<\/item>/g, '</thing>'));
      const write = (head: readonly string[]) =>
        writeCseFeedStart({ title, selfUrl: 'http://ours.example/', lastBuildDate: date, head }) +
        writeCseFeedEnd();
      const again = headOf(write(markup)).markup.slice(-markup.length);
      const before = markup.map((xml) => withUsedBindings(meaningOf(xml)));
      expect(
        again.map((xml, index) => withBindingsOf(meaningOf(xml), before[index] ?? meaningOf(xml))),
      ).toEqual(before);
      const twice = write(again);
      expect(write(headOf(twice).markup.slice(-again.length))).toBe(twice);
    }),
    runs(100),
  );
});
