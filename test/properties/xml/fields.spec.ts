import { feedsyncDialect } from '#feedsync';
import { expect, test } from '@jest/globals';
import { FeedScanner, fieldsOfPayload, payloadFromFields } from '#xml';
import { readItem, writeItem } from '#feedsync';
import type { Payload } from '#xml';
import { itemId } from '#core';
import { randomFeed } from './feed-model.ts';
import { elementsOf, meaningOf } from './meaning.ts';
import type { Meaning } from './meaning.ts';
import fc from 'fast-check';

const namespaces = { atom: 'http://www.w3.org/2005/Atom', rss: '', opml: '' };

/**
 * What the children of an item mean to a reader who does not look at comments, instructions, unused prefixes
 * or the order of children.
 */
function meaningOfChildren(payload: Payload): string[] {
  const written = writeItem({
    sync: { id: itemId('i'), updates: 1, deleted: false, history: [{ sequence: 1, by: 'A' }] },
    data: payload,
    conflicts: [],
  });
  const item = meaningOf(
    `<feed xmlns="${namespaces[payload.format]}" xmlns:sx="http://feedsync.org/2007/feedsync">${written}` +
      '</feed>',
  );
  return elementsOf(elementsOf(item)[0] ?? item)
    .map((child) => JSON.stringify(plain(child)))
    .sort();
}

function plain({ name, attributes, base, language, content }: Meaning): unknown {
  const merged: unknown[] = [];
  for (const part of content) {
    const text = typeof part !== 'string' ? undefined : part.startsWith('text ') ? part.slice(5) : '';
    const last = merged.at(-1);
    if (typeof part !== 'string') merged.push(plain(part));
    else if (typeof last === 'string') merged[merged.length - 1] = last + text;
    else if (text !== '') merged.push(text);
  }
  return { name, attributes, base, language, content: merged };
}

function payloadOf(feed: string): Payload {
  const [fragment] = new FeedScanner(feedsyncDialect).write(feed);
  const reading = fragment && readItem(fragment);
  if (reading?.kind !== 'item') throw new Error(`Not an item: ${JSON.stringify(reading)}`);
  return reading.item.data;
}

test('an update that sends back the fields it got keeps what the item means', () => {
  fc.assert(
    fc.property(randomFeed, ({ xml, format }) => {
      const payload = payloadOf(xml);
      const again = payloadFromFields(format, fieldsOfPayload(payload), [], payload);
      expect(meaningOfChildren(again)).toEqual(meaningOfChildren(payload));
      expect(fieldsOfPayload(again)).toEqual(fieldsOfPayload(payload));
    }),
    { numRuns: 200 },
  );
});
