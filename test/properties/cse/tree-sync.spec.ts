import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { runs } from '../feedsync/runs.ts';
import { isFeed, literalCleanUp, literalSync, referredFrom } from './literal-sync.ts';
import type { Document } from './literal-sync.ts';
import { Mirror } from './mirror.ts';
import { anyEdits, Publisher, root } from './publisher.ts';

const anyOrder = fc.array(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), {
  minLength: 1,
  maxLength: 5,
});

/** What the printed algorithm leaves in an empty cache. */
function literalCache(publisher: Publisher): Map<string, Document> {
  const cache = new Map<string, Document>();
  literalSync(root, publisher.site, cache);
  return cache;
}

/**
 * A feed that another level links to with another date may be requested once more than the printed algorithm
 * does.
 */
function isLinkedTwice(url: string, site: ReadonlyMap<string, Document>): boolean {
  const items = [...site.values()].filter(isFeed).flatMap(({ items }) => items);
  return (
    isFeed(site.get(url)) && items.filter(({ links }) => links.some((link) => link.url === url)).length > 1
  );
}

function expectInStep(mirror: Mirror, publisher: Publisher): void {
  const wanted = literalCache(publisher);
  expect(new Map([...mirror.contents].filter(([url]) => wanted.has(url)))).toEqual(wanted);
  // What is there beyond that is referred to, and not by a link that is followed.
  const referred = referredFrom(root, mirror.contents);
  expect([...mirror.contents.keys()].filter((url) => !referred.has(url))).toEqual([]);
}

describe('rounds of edits, each followed by a synchronisation', () => {
  test('leave what the printed algorithm would leave in an empty cache, and request what it requests', () => {
    fc.assert(
      fc.property(fc.array(anyEdits, { minLength: 1, maxLength: 5 }), anyOrder, (rounds, order) => {
        const publisher = new Publisher();
        const mirror = new Mirror();
        const cache = new Map<string, Document>();
        for (const edits of rounds) {
          publisher.edit(edits);
          const downloads = literalSync(root, publisher.site, cache);
          literalCleanUp(root, cache);
          const { site } = publisher;
          const { asked, isDone } = mirror.synchronise(root, (url) => site.get(url), { order });
          expect(isDone).toBe(true);
          const urls = asked.map(({ url }) => url);
          expect(new Set(urls).size).toBe(urls.length);
          expect(downloads.filter((url) => !urls.includes(url))).toEqual([]);
          expect(urls.filter((url) => !downloads.includes(url) && !isLinkedTwice(url, site))).toEqual([]);
          expectInStep(mirror, publisher);
        }
      }),
      runs(400),
    );
  });

  test('request only the root if there was no edit, at the latest the second time', () => {
    fc.assert(
      fc.property(anyEdits, (edits) => {
        const publisher = new Publisher();
        const mirror = new Mirror();
        publisher.edit(edits);
        const { site } = publisher;
        mirror.synchronise(root, (url) => site.get(url));
        const { asked } = mirror.synchronise(root, (url) => site.get(url));
        expect(asked.filter(({ url }) => url !== root && !isLinkedTwice(url, site))).toEqual([]);
        expect(mirror.synchronise(root, (url) => site.get(url)).asked.map(({ url }) => url)).toEqual([root]);
      }),
      runs(100),
    );
  });

  test('request the same, whatever the order of arrival', () => {
    fc.assert(
      fc.property(anyEdits, anyEdits, anyOrder, (first, second, order) => {
        const publisher = new Publisher();
        const mirrors = [new Mirror(), new Mirror()] as const;
        for (const edits of [first, second]) {
          publisher.edit(edits);
          const { site } = publisher;
          const inOrder = mirrors[0].synchronise(root, (url) => site.get(url));
          expect(mirrors[1].synchronise(root, (url) => site.get(url), { order })).toEqual(inOrder);
          expect(mirrors[1].documents).toEqual(mirrors[0].documents);
        }
      }),
      runs(100),
    );
  });
});

/** A synchronisation of which parts fail, or that is broken off, while the publisher goes on. */
const anyTrouble = fc.record({
  before: anyEdits,
  during: anyEdits,
  duringAt: fc.nat(15),
  breakOff: fc.oneof(fc.nat(15), fc.constant(Infinity)),
  failing: fc
    .uniqueArray(
      fc.constantFrom('feed-0', 'feed-1', 'feed-2', 'feed-3', 'file-0', 'file-1', 'file-2', 'file-3'),
    )
    .map((urls) => new Set(urls)),
  order: anyOrder,
});

describe('synchronisations that fail in parts or are broken off, while the publisher goes on', () => {
  test('are made good by one that does neither', () => {
    fc.assert(
      fc.property(fc.array(anyTrouble, { minLength: 1, maxLength: 4 }), (troubles) => {
        const publisher = new Publisher();
        const mirror = new Mirror();
        for (const { before, during, duringAt, ...weather } of troubles) {
          publisher.edit(before);
          let requests = 0;
          mirror.synchronise(
            root,
            (url) => {
              if (requests === duringAt) publisher.edit(during);
              requests += 1;
              return publisher.site.get(url);
            },
            weather,
          );
        }
        const { site } = publisher;
        expect(mirror.synchronise(root, (url) => site.get(url))).toMatchObject({
          failures: [],
          isDone: true,
        });
        expectInStep(mirror, publisher);
      }),
      runs(800),
    );
  });

  test('lose nothing that was in the cache and is still referred to', () => {
    fc.assert(
      fc.property(
        anyEdits,
        anyEdits,
        anyTrouble.map(({ failing }) => failing),
        (first, second, failing) => {
          const publisher = new Publisher();
          const mirror = new Mirror();
          publisher.edit(first);
          const { site } = publisher;
          mirror.synchronise(root, (url) => site.get(url));
          const before = [...mirror.contents.keys()];
          publisher.edit(second);
          const after = publisher.site;
          mirror.synchronise(root, (url) => after.get(url), { failing });
          const referred = referredFrom(root, mirror.contents);
          expect(before.filter((url) => referred.has(url) && !mirror.contents.has(url))).toEqual([]);
        },
      ),
      runs(100),
    );
  });
});

describe('budgets', () => {
  test('end a tree that has no end, and say of each link that is left out which of them it passed', () => {
    /** Each feed nests two more and holds one file. */
    const endless = (url: string): Document => {
      if (url.startsWith('file')) return 1;
      const links = [`${url}0`, `${url}1`].map((nested) => [
        { url: nested, nestedFeed: true, onDemand: false },
      ]);
      const items = [...links, [{ url: `file ${url}`, nestedFeed: false, onDemand: false }]].map(
        (links, index) => ({
          id: `${url} ${index}`,
          lastBuildDate: '2026-01-01T00:00:00Z',
          hidden: false,
          links,
        }),
      );
      return { lastBuildDate: '2026-01-01T00:00:00Z', items };
    };
    const anyLimits = fc.record({ depth: fc.nat(8), documents: fc.nat(60), bytes: fc.nat(60) });
    fc.assert(
      fc.property(anyLimits, anyOrder, (limits, order) => {
        const mirror = new Mirror();
        const { asked, failures, isDone } = mirror.synchronise('feed', endless, { limits, order });
        expect(isDone).toBe(true);
        expect(asked.filter(({ isFeed, depth }) => isFeed && depth > limits.depth)).toEqual([]);
        expect(asked.length).toBeLessThanOrEqual(limits.documents);
        expect(mirror.contents.size).toBeLessThanOrEqual(limits.bytes);
        expect(
          failures.every(
            ({ rule, reason }) =>
              /^limit-(depth|documents|bytes)$/.test(rule) && reason.includes(`(limit "${rule.slice(6)}")`),
          ),
        ).toBe(true);
        expect(failures.length).toBeGreaterThan(0);
      }),
      runs(100),
    );
  });
});
