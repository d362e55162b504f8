import { describe, expect, test } from '@jest/globals';
import { finish } from '#core';
import type { CachedDocument } from './cached-document.ts';
import type { Arrival } from './download.ts';
import type { Feed, Item, Link } from './feed.ts';
import { defaultTreeLimits } from './tree-limits.ts';
import type { TreeLimits } from './tree-limits.ts';
import { TreeWalk } from './tree-walk.ts';

const day = (number: number): string => `2026-01-${String(number).padStart(2, '0')}T00:00:00Z`;
const file = (url: string): Link => ({ url, nestedFeed: false, onDemand: false });
const nested = (url: string): Link => ({ url, nestedFeed: true, onDemand: false });
const onDemand = (url: string, nestedFeed = false): Link => ({ url, nestedFeed, onDemand: true });
const item = (id: string, at: number, ...links: Link[]): Item => ({
  id,
  lastBuildDate: day(at),
  hidden: false,
  links,
});
const feed = (...items: Item[]): Feed => ({
  lastBuildDate: items.reduce(
    (newest, { lastBuildDate }) => (lastBuildDate > newest ? lastBuildDate : newest),
    day(1),
  ),
  items,
});

/** What a publisher serves: a feed, the size of a file, or what came of it otherwise. */
type Site = Readonly<Record<string, Feed | number | Arrival>>;

/**
 * Walks from `root` to the end; returns what was requested, one array a turn, and what the cache holds then.
 */
function sync(
  site: Site,
  cached: ReadonlyMap<string, CachedDocument> = new Map(),
  limits: Partial<TreeLimits> = {},
) {
  const walk = new TreeWalk('root', cached, { ...defaultTreeLimits, ...limits });
  const cache = new Map(cached);
  const asked: string[][] = [];
  for (let turn = finish(walk.next()); turn.length > 0; turn = finish(walk.next())) {
    asked.push(turn.map(({ url }) => url));
    for (const { url } of turn) {
      const document = finish(walk.arrived(url, arrivalOf(site[url])));
      if (document !== undefined) cache.set(url, document);
    }
  }
  const { keep, drop, failures } = walk.end();
  for (const url of drop) cache.delete(url);
  return {
    asked,
    cache,
    keep: [...keep],
    drop: [...drop],
    failures,
    progress: walk.progress,
    isDone: walk.isDone,
  };
}

function arrivalOf(served: Site[string] | undefined): Arrival {
  if (served === undefined) return { kind: 'failed', rule: 'http-status', reason: 'It is missing.' };
  if (typeof served === 'number') return { kind: 'file', bytes: served };
  return 'items' in served ? { kind: 'feed', feed: served } : served;
}

function cacheOf(root: Feed): ReadonlyMap<string, CachedDocument> {
  return new Map([['root', { lastBuildDate: root.lastBuildDate, feed: root }]]);
}

const unchanged: Arrival = { kind: 'unchanged' };

describe('the first walk', () => {
  test('requests the feeds level by level, then the files, each once', () => {
    const site = {
      root: feed(item('1', 2, nested('a')), item('2', 2, file('x'), file('shared'))),
      a: feed(item('3', 2, nested('b')), item('4', 2, file('shared'))),
      b: feed(item('5', 2, file('y'))),
      x: 1,
      y: 2,
      shared: 4,
    };
    const { asked, keep, progress, isDone } = sync(site);
    expect(asked).toEqual([['root'], ['a'], ['b'], ['x', 'shared', 'y']]);
    expect(keep.toSorted()).toEqual(['a', 'b', 'root', 'shared', 'x', 'y']);
    expect([progress, isDone]).toEqual([{ done: 6, total: 6, bytes: 7, failed: 0 }, true]);
  });

  test('says of each download its depth below the root, what it is read as, and its date', () => {
    const walk = new TreeWalk('root', new Map(), defaultTreeLimits);
    expect(finish(walk.next())).toEqual([
      { url: 'root', isFeed: true, depth: 0, lastBuildDate: '1601-01-01T00:00:00Z' },
    ]);
    finish(
      walk.arrived('root', {
        kind: 'feed',
        feed: feed(item('1', 2, nested('a')), item('2', 3, file('x')), item('3', 5, file('x'))),
      }),
    );
    expect(finish(walk.next())).toEqual([{ url: 'a', isFeed: true, depth: 1, lastBuildDate: day(2) }]);
    expect(finish(walk.next())).toEqual([]);
    expect(walk.isDone).toBe(false);
    finish(walk.arrived('a', { kind: 'feed', feed: feed() }));
    expect(finish(walk.next())).toEqual([{ url: 'x', isFeed: false, depth: 1, lastBuildDate: day(5) }]);
  });

  test('requests nothing that is on demand, and keeps it', () => {
    const { asked, keep } = sync({
      root: feed(item('1', 2, onDemand('x')), item('2', 2, onDemand('a', true))),
    });
    expect(asked).toEqual([['root']]);
    expect(keep).toEqual(['root', 'x', 'a']);
  });

  test('ends in a cycle, and reads what is a feed to one item and a file to another as a feed', () => {
    const { asked, isDone } = sync({
      root: feed(item('1', 2, nested('a')), item('2', 2, file('a'))),
      a: feed(item('3', 2, nested('root')), item('4', 2, nested('a'))),
    });
    expect(asked).toEqual([['root'], ['a']]);
    expect(isDone).toBe(true);
  });
});

describe('a walk with a cache', () => {
  const before = {
    root: feed(item('1', 2, nested('a')), item('2', 2, nested('b'))),
    a: feed(item('3', 2, file('x')), item('4', 1, file('y'))),
    b: feed(item('5', 2, file('z'))),
    x: 1,
    y: 1,
    z: 1,
  };
  const { cache } = sync(before);

  test('requests only the root if nothing has changed, whether the root says so or not', () => {
    expect(sync(before, cache).asked).toEqual([['root']]);
    expect(sync({ root: unchanged }, cache).asked).toEqual([['root']]);
  });

  test('requests the feeds on the path to a change, and the changed files', () => {
    const after = {
      ...before,
      root: feed(item('1', 3, nested('a')), item('2', 2, nested('b'))),
      a: feed(item('3', 3, file('x'), file('new')), item('4', 1, file('y'))),
      new: 1,
    };
    const second = sync(after, cache);
    expect(second.asked).toEqual([['root'], ['a'], ['x', 'new']]);
    expect(sync(after, second.cache).asked).toEqual([['root']]);
  });

  test('requests what is missing again, even below feeds that it does not request', () => {
    const broken = new Map(cache);
    broken.delete('z');
    expect(sync(before, broken).asked).toEqual([['root'], ['z']]);
    broken.delete('a');
    expect(sync(before, broken).asked).toEqual([['root'], ['a'], ['x', 'y', 'z']]);
  });

  test('asks again for what failed when its item changed, and has kept what it had', () => {
    const after = {
      ...before,
      root: feed(item('1', 3, nested('a')), item('2', 2, nested('b'))),
      a: feed(item('3', 3, file('x')), item('4', 1, file('y'))),
      x: { kind: 'failed', rule: 'http-status', reason: 'The server answers 503.' } as const,
    };
    const second = sync(after, cache);
    expect(second.failures).toEqual([{ url: 'x', rule: 'http-status', reason: 'The server answers 503.' }]);
    expect(second.cache.get('x')).toEqual(cache.get('x'));
    expect(sync({ ...after, x: 1 }, second.cache).asked).toEqual([['root'], ['x']]);
  });

  test('keeps what a feed refers to that failed', () => {
    const second = sync({ root: feed(item('1', 3, nested('a')), item('2', 2, nested('b'))) }, cache);
    expect(second).toMatchObject({ asked: [['root'], ['a']], drop: [] });
    expect(second.progress).toEqual({ done: 2, total: 2, bytes: 0, failed: 1 });
  });

  test('takes an unchanged nested feed as in step with its item, and goes through its last links', () => {
    const broken = new Map(cache);
    broken.delete('x');
    const second = sync(
      { root: feed(item('1', 3, nested('a')), item('2', 2, nested('b'))), a: unchanged, x: 1 },
      broken,
    );
    expect(second.asked).toEqual([['root'], ['a'], ['x']]);
    expect(second.cache.get('a')?.lastBuildDate).toBe(day(3));
  });

  test('requests a feed that it skipped at first if another item below needs it newer', () => {
    const late = sync(
      {
        root: feed(item('1', 2, nested('a')), item('2', 3, nested('b'))),
        b: feed(item('5', 2, file('z')), item('6', 3, nested('a'))),
        a: feed(item('3', 3, file('x'))),
        x: 1,
      },
      cache,
    );
    expect(late.asked).toEqual([['root'], ['b'], ['a'], ['x']]);
    expect(late.drop).toEqual(['y']);
    const site = {
      root: feed(item('1', 2, nested('a')), item('2', 3, nested('b'))),
      b: feed(item('6', 3, nested('a'))),
      a: feed(item('3', 3, nested('c'))),
      c: feed(item('8', 3, file('w'))),
      w: 1,
    };
    expect(sync(site, cache).asked).toEqual([['root'], ['b'], ['a'], ['c'], ['w']]);
    expect(sync(site, cache, { depth: 1 })).toMatchObject({
      asked: [['root'], ['b'], ['a']],
      failures: [{ url: 'c', rule: 'limit-depth' }],
    });
  });

  test('requests what a new item links to, though another item had it before', () => {
    const after = {
      ...before,
      root: feed(
        item('new', 1, file('z')),
        item('1', 2, nested('a')),
        item('2', 2, nested('b')),
        item('3', 3),
      ),
      z: unchanged,
    };
    expect(sync(after, cache).asked).toEqual([['root'], ['z']]);
  });

  test('drops what nothing refers to any more, and nothing that something still does', () => {
    const second = sync(
      { root: feed(item('2', 2, nested('b')), item('7', 3, file('y'), onDemand('a', true))), y: 1 },
      cache,
    );
    expect(second.drop).toEqual([]);
    const third = sync(
      { root: feed(item('2', 2, nested('b')), item('7', 4, file('y'))), y: 1 },
      second.cache,
    );
    expect(third.drop.toSorted()).toEqual(['a', 'x']);
  });

  test('drops nothing if the root cannot be read and is not cached, or the walk is not done', () => {
    const withoutRoot = new Map(cache);
    withoutRoot.delete('root');
    expect(sync({}, withoutRoot).drop).toEqual([]);
    const walk = new TreeWalk(
      'root',
      new Map([...cache, ['orphan', { lastBuildDate: day(1) }]]),
      defaultTreeLimits,
    );
    finish(walk.next());
    expect(walk.end().drop.size).toBe(0);
    finish(walk.arrived('root', unchanged));
    finish(walk.next());
    expect([...walk.end().drop]).toEqual(['orphan']);
  });
});

describe('a budget', () => {
  test('of depth leaves out what is deeper, by its shortest way, and says so', () => {
    const chain: Record<string, Feed> = { root: feed(item('0', 2, nested('1')), item('s', 2, nested('3'))) };
    for (let at = 1; at < 10_000; at += 1) chain[at] = feed(item(`i${at}`, 2, nested(String(at + 1))));
    const { asked, failures } = sync(chain, new Map(), { depth: 2 });
    expect(asked).toEqual([['root'], ['1', '3'], ['2', '4']]);
    expect(failures).toEqual([
      {
        url: '5',
        rule: 'limit-depth',
        reason: 'The feed is more than 2 links below the root (limit "depth").',
      },
    ]);
  });

  test('of depth counts feeds alone', () => {
    expect(sync({ root: feed(item('1', 2, file('x'))), x: 1 }, new Map(), { depth: 0 })).toMatchObject({
      asked: [['root'], ['x']],
      failures: [],
    });
  });

  test('of documents leaves out the last ones', () => {
    const { asked, failures } = sync(
      { root: feed(item('1', 2, file('x'), file('y')), item('2', 2, nested('a'))), a: feed(), x: 1 },
      new Map(),
      { documents: 3 },
    );
    expect(asked).toEqual([['root'], ['a'], ['x']]);
    expect(failures).toEqual([
      {
        url: 'y',
        rule: 'limit-documents',
        reason: 'The tree has more than 3 documents (limit "documents").',
      },
    ]);
  });

  test('of items and links leaves out a feed that is too large, and goes by its previous version', () => {
    const large = (count: number, at = 2): Feed =>
      feed(item('i', at, ...Array.from({ length: count - 1 }, (_, number) => onDemand(`${number}`))));
    const site = {
      root: feed(item('1', 2, nested('a')), item('2', 2, nested('b'))),
      a: large(4),
      b: large(4),
    };
    const reason = 'The tree would have more than 10 items and links (limit "links").';
    const failures = [{ url: 'b', rule: 'limit-links', reason }];
    expect(sync(site, new Map(), { links: 12 }).failures).toEqual([]);
    const first = sync(site, new Map(), { links: 10 });
    expect(first).toMatchObject({ failures, progress: { failed: 1 } });
    expect([...first.cache.keys()]).toEqual(['root', 'a']);
    // It is requested again and again; what shrinks makes a place free.
    const second = sync(
      { ...site, root: feed(item('1', 3, nested('a')), item('2', 2, nested('b'))), a: large(2, 3) },
      first.cache,
      { links: 10 },
    );
    expect(second).toMatchObject({ asked: [['root'], ['a', 'b']], failures: [] });
    const third = sync(
      {
        root: feed(item('1', 3, nested('a')), item('2', 4, nested('b'))),
        b: feed(item('i', 4, ...Array.from({ length: 4 }, (_, number) => file(`new ${number}`)))),
      },
      second.cache,
      { links: 10 },
    );
    expect(third).toMatchObject({ asked: [['root'], ['b']], failures, drop: [] });
    expect(third.cache.get('b')).toEqual(second.cache.get('b'));
  });

  test(
    'of items and links takes what is nearer to the root first, and leaves a cached feed as it is that ' +
      'is too large by now',
    () => {
      const links = (prefix: string, count: number): Link[] =>
        Array.from({ length: count }, (_, number) => onDemand(`${prefix}${number}`));
      const { cache } = sync(
        { root: feed(item('1', 2, nested('a'))), a: feed(item('i', 2, file('x'), ...links('a', 4))), x: 1 },
        new Map(),
        { links: 8 },
      );
      const after = { root: feed(item('1', 3, nested('a')), item('2', 3, ...links('r', 2))), a: unchanged };
      expect(sync(after, cache, { links: 10 })).toMatchObject({
        asked: [['root'], ['a']],
        failures: [{ url: 'a', rule: 'limit-links' }],
        drop: [],
      });
      const passedBy = { root: feed(item('1', 2, nested('a')), item('2', 3, ...links('r', 2))) };
      expect(sync(passedBy, cache, { links: 10 })).toMatchObject({
        asked: [['root']],
        failures: [{ url: 'a', rule: 'limit-links' }],
        drop: [],
      });
      expect(sync(passedBy, cache, { links: 11 })).toMatchObject({
        asked: [['root']],
        failures: [],
        drop: [],
      });
    },
  );

  test('of items and links says how large a feed may be, before it is read to its end', () => {
    const walk = new TreeWalk('root', cacheOf(feed(item('1', 2, file('x'), file('y')))), {
      ...defaultTreeLimits,
      links: 2,
    });
    finish(walk.next());
    expect(walk.linksLeft('root')).toBe(2);
    expect(finish(walk.arrived('root', { kind: 'too-large' }))).toBeUndefined();
    expect(walk.failures.get('root')).toMatchObject({ rule: 'limit-links' });
    const again = new TreeWalk('root', cacheOf(feed(item('1', 2, file('x')))), {
      ...defaultTreeLimits,
      links: 3,
    });
    again.next();
    expect(again.linksLeft('root')).toBe(3);
  });

  test('of bytes leaves out a document that passes it, and what comes after the last byte', () => {
    const site = { root: feed(item('1', 2, file('x'), file('y'), file('z'))), x: 60, y: 50, z: 40 };
    const first = sync(site, new Map(), { bytes: 100 });
    expect(first.failures).toEqual([
      { url: 'y', rule: 'limit-bytes', reason: 'More than 100 bytes would be downloaded (limit "bytes").' },
    ]);
    expect([...first.cache.keys()]).toEqual(['root', 'x', 'z']);
    expect(sync(site, first.cache, { bytes: 0 })).toMatchObject({
      asked: [],
      failures: [{ url: 'root' }, { url: 'y' }],
      drop: [],
    });
  });
});

test('an arrival that was not requested is refused', () => {
  const walk = new TreeWalk('root', new Map(), defaultTreeLimits);
  expect(() => finish(walk.arrived('root', { kind: 'feed', feed: feed() }))).toThrow(
    'root is not in progress.',
  );
  finish(walk.next());
  expect(() => finish(walk.arrived('root', { kind: 'file', bytes: 1 }))).toThrow(
    'root is requested as a feed, not as a file.',
  );
  expect(() => finish(walk.arrived('root', unchanged))).toThrow(
    "root can't be unchanged: the cache does not hold it.",
  );
  expect(finish(walk.arrived('root', { kind: 'feed', feed: feed() }))).toBeDefined();
});

test(
  'a feed that an item links to as a file is downloaded for the date of that item too, once in a walk, ' +
    'and stays a feed',
  () => {
    const site = {
      root: feed(item('1', 2, nested('a')), item('2', 5, file('a'))),
      a: feed(item('3', 2, file('x'))),
      x: 1,
    };
    const first = sync(site);
    expect(first.asked).toEqual([['root'], ['a'], ['x']]);
    expect(first.cache.get('a')).toEqual({ lastBuildDate: day(5), feed: site.a });
    expect(sync({ ...site, root: unchanged }, first.cache).asked).toEqual([['root']]);
    const later = sync(
      { ...site, root: feed(item('1', 2, nested('a')), item('2', 7, file('a'))), a: unchanged },
      first.cache,
    );
    expect(later.asked).toEqual([['root'], ['a']]);
    expect(later.cache.get('a')).toEqual({ lastBuildDate: day(7), feed: site.a });
  },
);

test(
  'a feed that a deeper feed links to as a file with a later date is in step with that in the same ' +
    'walk if it had not been requested',
  () => {
    const site = {
      root: feed(item('1', 2, nested('a'), file('y')), item('2', 2, nested('b'))),
      a: feed(),
      b: feed(item('3', 2, file('x'))),
      x: 1,
      y: 1,
    };
    const first = sync(site);
    const { asked, cache } = sync(
      {
        ...site,
        root: feed(item('1', 2, nested('a'), file('y')), item('2', 4, nested('b'))),
        b: feed(item('3', 4, file('a'))),
        a: feed(item('4', 1, nested('c'))),
        c: feed(),
      },
      first.cache,
    );
    expect(asked).toEqual([['root'], ['b'], ['a'], ['c']]);
    expect(cache.get('a')).toMatchObject({ lastBuildDate: day(4) });
  },
);

test('a feed of many items is taken, and its links are gone through, in short steps', () => {
  const walk = new TreeWalk('root', new Map(), defaultTreeLimits);
  const stepsOf = (work: Iterator<void>): number => {
    let count = 0;
    while (work.next().done !== true) count += 1;
    return count;
  };
  finish(walk.next());
  const items = Array.from({ length: 1000 }, (_, n) => item(`${n}`, 2, file(`${n}`)));
  expect(stepsOf(walk.arrived('root', { kind: 'feed', feed: feed(...items) }))).toBeGreaterThan(2000);
  expect(stepsOf(walk.next())).toBeGreaterThan(3000);
});
