import { describe, expect, test } from '@jest/globals';
import type { FeedHead, Sharing } from '#xml';
import { feedsyncProtocol } from '#feedsync';
import { sseProtocol } from '#sse';
import { noCompleteFeed, safeUntil } from './feed-plan.ts';
import type { FeedPlan, Progress } from './feed-plan.ts';

const feedUrl = 'http://a.example/partial.xml';
/** Of a subscriber that has read nothing of the feed yet. */
const initial: Progress = { cursor: {} };
/** What a document that was read leaves. */
const digest = '47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU';
const related = [{ type: 'complete', link: 'http://a.example/all.xml' }] as const;

/** A feed, as far as its plan goes by it. */
const feedsync = (sharing?: Sharing) => ({ protocol: feedsyncProtocol, head: headOf(sharing) });
const sse = (sharing?: Sharing) => ({ protocol: sseProtocol, head: headOf(sharing) });

function headOf(sharing: Sharing | undefined): FeedHead {
  const head = {
    format: 'rss',
    namespaces: new Map(),
    markup: [],
    violations: [],
  } as const;
  return { ...head, ...(sharing && { sharing }) } as unknown as FeedHead;
}

function planReading(
  progress: Progress,
  url: string,
  { protocol, head }: ReturnType<typeof feedsync> | ReturnType<typeof sse>,
): FeedPlan {
  return protocol.planFeed(progress, url, head);
}

describe('what to read (FeedSync 4.1)', () => {
  test('a first reading takes the complete feed too', () => {
    expect(planReading(initial, feedUrl, feedsync({ related }))).toEqual({
      outOfSync: false,
      complete: 'http://a.example/all.xml',
    });
  });

  test('after a document that could not be read, the next one is a first reading', () => {
    const progress: Progress = { cursor: { etag: '"broken"', isUnread: true } };
    const sharing = { since: '05', until: '09', related };
    expect(planReading(progress, feedUrl, feedsync(sharing))).toEqual({
      outOfSync: false,
      complete: 'http://a.example/all.xml',
    });
  });

  test('a first reading of a feed that names no complete feed takes what there is', () => {
    expect(planReading(initial, feedUrl, feedsync({ related: [] }))).toEqual({
      outOfSync: false,
    });
    expect(planReading(initial, feedUrl, feedsync())).toEqual({ outOfSync: false });
  });

  test('a feed that calls itself complete is read once', () => {
    expect(
      planReading(initial, feedUrl, feedsync({ related: [{ type: 'complete', link: feedUrl }] })),
    ).toEqual({ outOfSync: false });
  });

  test.each([
    ['05', '04', true],
    ['05', '05', false],
    ['05', '06', false],
    ['\u{1F600}', '\uFF5E', true],
    ['\uFF5E', '\u{1F600}', false],
  ])('since %s against a cached until %s: out of sync is %s', (since, until, outOfSync) => {
    const plan = planReading(
      { cursor: { digest, until } },
      feedUrl,
      feedsync({ since, until: '99', related }),
    );
    expect(plan).toEqual(outOfSync ? { outOfSync, complete: 'http://a.example/all.xml' } : { outOfSync });
  });

  test('out of sync, a feed that names no complete feed has nothing more to read', () => {
    expect(
      planReading(
        { cursor: { digest, until: '04' } },
        feedUrl,
        feedsync({ since: '05', until: '09', related: [] }),
      ),
    ).toEqual({ outOfSync: true });
  });

  test('out of sync, a feed that calls itself complete is read once more as that', () => {
    const sharing = { since: '05', until: '09', related: [{ type: 'complete', link: feedUrl }] } as const;
    expect(planReading({ cursor: { digest, until: '04' } }, feedUrl, feedsync(sharing))).toEqual({
      outOfSync: true,
      complete: feedUrl,
    });
  });

  test('a feed without since and until says nothing of the window', () => {
    expect(planReading({ cursor: { digest, until: '04' } }, feedUrl, feedsync({ related }))).toEqual({
      outOfSync: false,
    });
  });

  test('without a cached until, a later reading takes the feed alone', () => {
    expect(
      planReading({ cursor: { digest } }, feedUrl, feedsync({ since: '05', until: '09', related })),
    ).toEqual({ outOfSync: false });
  });
});

describe('what to read (SSE 2.1, 2.2)', () => {
  const all = 'http://a.example/all.xml';
  const partial: Sharing = { since: '2026-01-01T00:00:00Z', until: '2026-01-02T00:00:00Z', related };

  test('a first reading of a partial feed takes the complete feed too', () => {
    expect(planReading(initial, feedUrl, sse(partial))).toEqual({ outOfSync: false, complete: all });
  });

  test('a feed without since is complete itself, whatever it names beside', () => {
    expect(planReading(initial, feedUrl, sse({ until: '2026-01-02T00:00:00Z', related }))).toEqual({
      outOfSync: false,
    });
    expect(planReading(initial, feedUrl, sse({ related }))).toEqual({ outOfSync: false });
    expect(planReading(initial, feedUrl, sse())).toEqual({ outOfSync: false });
    expect(
      planReading({ cursor: { digest, until: '2020-01-01T00:00:00Z' } }, feedUrl, sse({ related })),
    ).toEqual({ outOfSync: false });
  });

  test('what the complete feed is said to begin and end with changes nothing', () => {
    const dated = [{ ...related[0], since: '2026-01-01T12:00:00Z', until: '2026-01-01T13:00:00Z' }];
    expect(planReading(initial, feedUrl, sse({ ...partial, related: dated }))).toEqual({
      outOfSync: false,
      complete: all,
    });
  });

  test.each([
    ['2025-12-31T23:59:58Z', true],
    ['2025-12-31T23:59:59Z', false],
    ['2026-01-01T00:00:00Z', false],
    ['2026-01-01T00:00:01Z', false],
    ['0099-12-31T23:59:59Z', true],
  ])(
    'a feed that begins with the new year, against a cached until of %s: out of sync is %s',
    (until, outOfSync) => {
      expect(planReading({ cursor: { digest, until } }, feedUrl, sse(partial))).toEqual(
        outOfSync ? { outOfSync, complete: all } : { outOfSync },
      );
    },
  );

  test('without a cached until nothing can be said', () => {
    expect(planReading({ cursor: { digest } }, feedUrl, sse(partial))).toEqual({
      outOfSync: false,
    });
  });

  test('a missing complete feed is reported with the section of the specification that was applied', () => {
    expect(noCompleteFeed('SSE 2.2.1').section).toBe('SSE 2.2.1');
    expect(noCompleteFeed('FeedSync 4.1.2').section).toBe('FeedSync 4.1.2');
  });
});

describe('the until to cache', () => {
  test.each([
    ['2026-01-02T00:00:00Z', '2025-12-31T23:59:59Z', '2025-12-31T23:59:59Z'],
    ['09', '07', '07'],
    ['07', '09', '07'],
    ['07', undefined, '07'],
    [undefined, '07', '07'],
    [undefined, undefined, undefined],
  ])('partial %s, complete %s: %s', (partial, complete, until) => {
    const sharing = (value: string | undefined) => ({
      related: [],
      ...(value !== undefined && { until: value }),
    });
    expect(safeUntil(sharing(partial), sharing(complete))).toBe(until);
  });

  test('a feed without sharing says nothing', () => {
    expect(safeUntil(undefined, undefined)).toBeUndefined();
  });
});
