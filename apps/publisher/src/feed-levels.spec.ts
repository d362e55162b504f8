import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { finish } from '#core';
import { feedLevels } from './feed-levels.ts';

/** Feeds with those that link to them, each written as `feed: parent parent`. */
function tree(...lines: readonly string[]): Map<string, Set<string>> {
  return new Map(
    lines.map((line): [string, Set<string>] => {
      const [feed = '', parents = ''] = line.split(':');
      return [feed, new Set(parents.split(' ').filter((parent) => parent !== ''))];
    }),
  );
}

/** The levels, each sorted, as text. */
const levels = (...lines: readonly string[]): string[] =>
  finish(feedLevels(tree(...lines))).map((level) => level.sort().join(' '));

describe('the order in which a date is carried up', () => {
  test('goes from the children to their parents, to the root', () => {
    expect(levels('root:', 'news: root', 'photos: root', 'monday: news')).toEqual([
      'monday photos',
      'news',
      'root',
    ]);
  });

  test('puts a feed after all that are nested in it, by whatever way', () => {
    expect(levels('monday: news root', 'news: root', 'root:')).toEqual(['monday', 'news', 'root']);
    expect(levels('monday: root archive', 'root:', 'archive: year', 'year: root')).toEqual([
      'monday',
      'archive',
      'year',
      'root',
    ]);
  });

  test('puts feeds that are nested in a circle in one level, and all feeds above them in later ones', () => {
    expect(levels('root:', 'a: b', 'b: c', 'c: a root', 'below: b')).toEqual(['below', 'a b c', 'root']);
    expect(levels('self: self root', 'root:')).toEqual(['self', 'root']);
  });

  test('of none is none', () => {
    expect(finish(feedLevels(new Map()))).toEqual([]);
  });

  test('is made of a chain of 20,000 feeds', () => {
    const chain = new Map(
      Array.from(
        { length: 20_000 },
        (_, place) => [`${place}`, new Set(place > 0 ? [`${place - 1}`] : [])] as const,
      ),
    );
    expect(finish(feedLevels(chain))).toHaveLength(20_000);
    // In short steps: others have their turn meanwhile.
    let steps = 0;
    for (const work = feedLevels(chain); work.next().done !== true;) steps += 1;
    expect(steps).toBeGreaterThan(100_000);
  });

  test(
    'holds for any tree of feeds: each stands in one level, and above all that it does not itself ' +
      'stand below',
    () => {
      const feed = fc.nat({ max: 7 }).map(String);
      fc.assert(
        fc.property(fc.array(fc.tuple(feed, feed), { maxLength: 20 }), (links) => {
          const parents = new Map(
            [...new Set(links.flat())].map((name) => [
              name,
              new Set(links.filter(([child]) => child === name).map(([, parent]) => parent)),
            ]),
          );
          const found = finish(feedLevels(parents));
          expect(found.flat().sort()).toEqual([...parents.keys()].sort());
          const levelOf = (name: string): number => found.findIndex((level) => level.includes(name));
          for (const [child, parent] of links) {
            if (above(parents, parent).has(child)) expect(levelOf(child)).toBe(levelOf(parent));
            else expect(levelOf(child)).toBeLessThan(levelOf(parent));
          }
        }),
      );
    },
  );
});

/** All feeds that can be reached upwards, the feed itself too. */
function above(parents: ReadonlyMap<string, ReadonlySet<string>>, feed: string): Set<string> {
  const reached = new Set([feed]);
  for (const next of reached) for (const parent of parents.get(next) ?? []) reached.add(parent);
  return reached;
}
