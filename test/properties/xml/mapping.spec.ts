import { feedsyncDialect } from '#feedsync';
import { describe, expect, test } from '@jest/globals';
import { convertPayload, FeedScanner, writeFeedEnd, writeFeedStart } from '#xml';
import { readItem, writeItem } from '#feedsync';
import type { Format, Payload } from '#xml';
import { itemId } from '#core';
import { runs } from '../feedsync/runs.ts';
import { randomFeed } from './feed-model.ts';
import { randomEntry, randomRssItem } from './mapping-model.ts';
import { elementsOf, find, meaningOf } from './meaning.ts';
import type { Meaning } from './meaning.ts';
import fc from 'fast-check';

const atom = '{http://www.w3.org/2005/Atom}';
const itemNames = { atom: `${atom}entry`, rss: '{}item', opml: '{}outline' };
const other = { atom: 'rss', rss: 'atom', opml: 'opml' } as const;
const silent: ReadonlySet<string> = new Set([
  `${atom}title {}type text`,
  `${atom}summary {}type text`,
  `${atom}content {}type text`,
  `${atom}link {}rel alternate`,
]);

function publish(payload: Payload): string {
  const head = {
    format: payload.format,
    children: [],
    scope: { namespaces: [] },
    violations: [],
  };
  const item = {
    sync: { id: itemId('i'), updates: 1, deleted: false, history: [{ sequence: 1, by: 'A' }] },
    data: payload,
    conflicts: [],
  };
  return writeFeedStart(head, feedsyncDialect) + writeItem(item) + writeFeedEnd(payload.format);
}

function receive(feed: string): Payload {
  const [fragment] = new FeedScanner(feedsyncDialect).write(feed);
  const reading = fragment && readItem(fragment);
  if (reading?.kind !== 'item') throw new Error(`Not an item: ${JSON.stringify(reading)}`);
  return reading.item.data;
}

/** What the children of an item mean to a reader who does not look at their order. */
function meaningOfChildren(payload: Payload): string[] {
  const item = find(meaningOf(publish(payload)), itemNames[payload.format]);
  if (item === undefined) throw new Error('There is no item.');
  return elementsOf(item)
    .map((child) => JSON.stringify(plain(child)))
    .sort();
}

function plain({ name, attributes, base, language, content }: Meaning): unknown {
  const said = attributes.filter(([attribute, value]) => !silent.has(`${name} ${attribute} ${value}`));
  // References of these are compared as they are resolved, and they have no language.
  const isReference = name.endsWith('}link') || name.endsWith('}enclosure') || name.endsWith('}category');
  const resolved = said.map(([attribute, value]) => [
    attribute,
    attribute === '{}href' && URL.canParse(value, base) ? new URL(value, base).href : value,
  ]);
  return {
    name,
    attributes: isReference ? resolved : said,
    ...(!isReference && { base, language }),
    content: content.map((part) => (typeof part === 'string' ? part : plain(part))),
  };
}

/** The item after it has been published in a format and taken from there. */
function by(format: Format, payload: Payload): Payload {
  return receive(publish(convertPayload(payload, format)));
}

describe.each([
  ['an entry', randomEntry],
  ['an RSS item', randomRssItem],
])('%s', (_name, random) => {
  test('means the same after it has travelled through the other format', () => {
    fc.assert(
      fc.property(random, (payload) => {
        const back = by(payload.format, by(other[payload.format], payload));
        expect(meaningOfChildren(back)).toEqual(meaningOfChildren(payload));
      }),
      runs(400),
    );
  });

  test('says the same to readers of the other format each time it is published there', () => {
    fc.assert(
      fc.property(random, (payload) => {
        const there = by(other[payload.format], payload);
        const again = by(there.format, by(payload.format, there));
        expect(meaningOfChildren(again)).toEqual(meaningOfChildren(there));
      }),
      runs(200),
    );
  });

  test('keeps its attributes, base and language on the way', () => {
    fc.assert(
      fc.property(random, (payload) => {
        const { scope, attributes } = convertPayload(payload, other[payload.format]);
        expect({ attributes, base: scope.base, language: scope.language }).toEqual({
          attributes: payload.attributes,
          base: payload.scope.base,
          language: payload.scope.language,
        });
      }),
      runs(100),
    );
  });
});

test('an item of any kind comes to rest: from the second round on nothing changes', () => {
  fc.assert(
    fc.property(randomFeed, ({ xml }) => {
      const payload = receive(xml);
      const round = (one: Payload) => by(one.format, by(other[one.format], one));
      const resolved = round(round(payload));
      expect(meaningOfChildren(round(resolved))).toEqual(meaningOfChildren(resolved));
    }),
    runs(200),
  );
});
