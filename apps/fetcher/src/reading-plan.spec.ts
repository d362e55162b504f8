import { describe, expect, test } from '@jest/globals';
import { planReading, safeUntil } from './reading-plan.ts';

const feedUrl = 'http://a.example/partial.xml';
const related = [{ type: 'complete', link: 'http://a.example/all.xml' }] as const;

describe('what to read (FeedSync 4.1)', () => {
  test('a first reading takes the complete feed too', () => {
    expect(planReading({ cursor: {}, cursorVersion: 0 }, feedUrl, { related })).toEqual({ outOfSync: false, complete: 'http://a.example/all.xml' });
  });

  test('a first reading of a feed that names no complete feed takes what there is', () => {
    expect(planReading({ cursor: {}, cursorVersion: 0 }, feedUrl, { related: [] })).toEqual({ outOfSync: false });
    expect(planReading({ cursor: {}, cursorVersion: 0 }, feedUrl, undefined)).toEqual({ outOfSync: false });
  });

  test('a feed that calls itself complete is read once', () => {
    expect(planReading({ cursor: {}, cursorVersion: 0 }, feedUrl, { related: [{ type: 'complete', link: feedUrl }] })).toEqual({ outOfSync: false });
  });

  test.each([
    ['05', '04', true],
    ['05', '05', false],
    ['05', '06', false],
    ['\u{1F600}', '\uFF5E', true],
    ['\uFF5E', '\u{1F600}', false],
  ])('since %s against a cached until %s: out of sync is %s', (since, until, outOfSync) => {
    const plan = planReading({ cursor: { until }, cursorVersion: 3 }, feedUrl, { since, until: '99', related });
    expect(plan).toEqual(outOfSync ? { outOfSync, complete: 'http://a.example/all.xml' } : { outOfSync });
  });

  test('out of sync, a feed that names no complete feed has nothing more to read', () => {
    expect(planReading({ cursor: { until: '04' }, cursorVersion: 3 }, feedUrl, { since: '05', until: '09', related: [] })).toEqual({ outOfSync: true });
  });

  test('out of sync, a feed that calls itself complete is read once more as that', () => {
    const sharing = { since: '05', until: '09', related: [{ type: 'complete', link: feedUrl }] } as const;
    expect(planReading({ cursor: { until: '04' }, cursorVersion: 3 }, feedUrl, sharing)).toEqual({ outOfSync: true, complete: feedUrl });
  });

  test('a feed without since and until says nothing of the window', () => {
    expect(planReading({ cursor: { until: '04' }, cursorVersion: 3 }, feedUrl, { related })).toEqual({ outOfSync: false });
  });

  test('without a cached until, a later reading takes the feed alone', () => {
    expect(planReading({ cursor: {}, cursorVersion: 3 }, feedUrl, { since: '05', until: '09', related })).toEqual({ outOfSync: false });
  });
});

describe('the until to cache', () => {
  test.each([
    ['09', '07', '07'],
    ['07', '09', '07'],
    ['07', undefined, '07'],
    [undefined, '07', '07'],
    [undefined, undefined, undefined],
  ])('partial %s, complete %s: %s', (partial, complete, until) => {
    const sharing = (value: string | undefined) => ({ related: [], ...(value !== undefined && { until: value }) });
    expect(safeUntil(sharing(partial), sharing(complete))).toBe(until);
  });

  test('a feed without sharing says nothing', () => {
    expect(safeUntil(undefined, undefined)).toBeUndefined();
  });
});
