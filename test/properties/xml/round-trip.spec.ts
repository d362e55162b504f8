import { feedsyncDialect } from '#feedsync';
import { describe, expect, test } from '@jest/globals';
import type { Item } from '#feedsync';
import { describeFeed, FeedScanner, writeFeedEnd, writeFeedStart } from '#xml';
import { readItem, writeItem } from '#feedsync';
import type { Payload } from '#xml';
import { runs } from '../feedsync/runs.ts';
import { randomFeed } from './feed-model.ts';
import type { RandomFeed } from './feed-model.ts';
import { elementsOf, find, meaningOf, withBindingsOf, withUsedBindings } from './meaning.ts';
import type { Meaning } from './meaning.ts';
import fc from 'fast-check';

const sync = '{http://feedsync.org/2007/feedsync}sync';
const conflicts = '{http://feedsync.org/2007/feedsync}conflicts';
const itemNames = { atom: '{http://www.w3.org/2005/Atom}entry', rss: '{}item' };

function read(feed: string): Item<Payload> {
  const scanner = new FeedScanner(feedsyncDialect);
  const [fragment] = scanner.write(feed);
  scanner.end();
  const reading = fragment && readItem(fragment);
  if (reading?.kind !== 'item') throw new Error(`Not an item: ${JSON.stringify(reading)}`);
  return reading.item;
}

function republish(feed: string, format: RandomFeed['format']): string {
  const head = describeFeed({
    format,
    title: 'Ours',
    id: 'urn:ours',
    selfUrl: 'http://ours.example/',
    updated: '2026-01-01T00:00:00Z',
    author: 'Us',
  });
  return writeFeedStart(head, feedsyncDialect) + writeItem(read(feed)) + writeFeedEnd(format);
}

/** The children of an item and of its conflicts, but sx:sync, each version on its own. */
function versionsOf(item: Meaning): Meaning[][] {
  const children = elementsOf(item);
  const nested = children
    .filter(({ name }) => name === sync)
    .flatMap((element) => elementsOf(element))
    .filter(({ name }) => name === conflicts)
    .flatMap((element) => elementsOf(element));
  return [children.filter(({ name }) => name !== sync), ...nested.flatMap((version) => versionsOf(version))];
}

function versionsIn(feed: string, format: RandomFeed['format']): Meaning[][] {
  const item = find(meaningOf(feed), itemNames[format]);
  if (item === undefined) throw new Error('There is no item.');
  return versionsOf(item);
}

function pruned(versions: Meaning[][], first: Meaning[][]): Meaning[][] {
  return versions.map((children, version) =>
    children.map((child, index) => {
      const counterpart = first[version]?.[index];
      return counterpart === undefined ? child : withBindingsOf(child, counterpart);
    }),
  );
}

describe('an item that is republished', () => {
  test('means the same: names, attributes, text, bindings, base and language, in conflicts too', () => {
    fc.assert(
      fc.property(randomFeed, ({ xml, format }) => {
        const before = versionsIn(xml, format).map((children) =>
          children.map((child) => withUsedBindings(child)),
        );
        const after = versionsIn(republish(xml, format), format);
        expect(pruned(after, before)).toEqual(before);
      }),
      runs(200),
    );
  });

  test('means it still when it is republished again by the next', () => {
    fc.assert(
      fc.property(randomFeed, ({ xml, format }) => {
        const once = republish(xml, format);
        const before = versionsIn(xml, format).map((children) =>
          children.map((child) => withUsedBindings(child)),
        );
        const after = versionsIn(republish(once, format), format);
        expect(pruned(after, before)).toEqual(before);
      }),
      runs(150),
    );
  });
});
