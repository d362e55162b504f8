import { describe, expect, test } from '@jest/globals';
import { conditionsOf, validatorsOf } from './conditions.ts';

const now = new Date('2026-01-05T12:00:00Z');
const hoursAgo = (hours: number): Date => new Date(now.getTime() - hours * 3_600_000);
const [etag, date] = ['W/"a b"', 'Mon, 05 Jan 2026 10:00:00 GMT'];
const terms = { now, isRequested: false };

describe('the conditions of a request', () => {
  test.each([
    ['none before the first response', {}, {}],
    ['both validators as they came', { etag, lastModified: date }, { etag, lastModified: date }],
    ['the Date of a response without any', { date, unconditionalAt: hoursAgo(2) }, { lastModified: date }],
    ['no Date beside an ETag', { etag, date }, { etag }],
    ['none once a day has passed without any', { date, unconditionalAt: hoursAgo(24) }, {}],
    ['those of a document that was not read', { etag, isUnread: true as const }, { etag }],
  ])('are %s', (_what, cursor, conditions) => {
    expect(conditionsOf(cursor, terms)).toEqual(conditions);
  });

  test('go on for as long as the setting says', () => {
    const cursor = { date, unconditionalAt: hoursAgo(2) };
    expect(conditionsOf(cursor, { ...terms, unconditionalEvery: 7_200_000 })).toEqual({});
    expect(conditionsOf(cursor, { ...terms, unconditionalEvery: 7_200_001 })).not.toEqual({});
  });

  test('are none if somebody requests a document that was not read', () => {
    expect(conditionsOf({ etag, isUnread: true }, { ...terms, isRequested: true })).toEqual({});
    expect(conditionsOf({ etag }, { ...terms, isRequested: true })).toEqual({ etag });
  });
});

test('the Date is kept only of a response that has no validator, with when nothing was said', () => {
  expect(validatorsOf({ etag, date }, now)).toEqual({ etag });
  expect(validatorsOf({ lastModified: date, date }, now)).toEqual({ lastModified: date });
  expect(validatorsOf({ date }, now)).toEqual({ date, unconditionalAt: now });
  expect(validatorsOf({}, now)).toEqual({});
});
