import { describe, expect, test } from '@jest/globals';
import { collectionKey, subscriptionId } from '#core';
import type { HubSubscription } from '#core';
import { readHubMessage, verify } from './verification.ts';

const topic = 'https://feeds.example/?a=1&b=2';

function query(fields: Record<string, string>): URLSearchParams {
  return new URLSearchParams(fields);
}

const asked = {
  'hub.mode': 'subscribe',
  'hub.topic': topic,
  'hub.challenge': 'c',
  'hub.lease_seconds': '60',
};

describe('a message of a hub', () => {
  test.each([
    [asked, { mode: 'subscribe', topic, challenge: 'c', lease: 60 }],
    [
      { ...asked, other: 'x', 'hub.other': 'y' },
      { mode: 'subscribe', topic, challenge: 'c', lease: 60 },
    ],
    [
      { ...asked, 'hub.mode': 'unsubscribe' },
      { mode: 'unsubscribe', topic, challenge: 'c' },
    ],
    [
      { 'hub.mode': 'denied', 'hub.topic': topic, 'hub.reason': ' no\r\n more\u0000 ' },
      { mode: 'denied', topic, reason: 'no more' },
    ],
    [
      { 'hub.mode': 'denied', 'hub.topic': topic },
      { mode: 'denied', topic, reason: '' },
    ],
  ])('is read: %j', (fields, expected) => {
    expect(readHubMessage(query(fields))).toEqual(expected);
  });

  test('without a lease says so, and a long reason is cut', () => {
    const { 'hub.lease_seconds': _lease, ...unsaid } = asked;
    expect(readHubMessage(query(unsaid))).toMatchObject({ mode: 'subscribe', lease: undefined });
    const denied = { 'hub.mode': 'denied', 'hub.topic': topic, 'hub.reason': 'x'.repeat(9000) };
    expect(readHubMessage(query(denied))).toMatchObject({ reason: 'x'.repeat(500) });
  });

  test.each<Record<string, string>>([
    {},
    { ...asked, 'hub.mode': 'SUBSCRIBE' },
    { ...asked, 'hub.mode': 'publish' },
    { ...asked, 'hub.challenge': '' },
    { ...asked, 'hub.lease_seconds': '0' },
    { ...asked, 'hub.lease_seconds': '-1' },
    { ...asked, 'hub.lease_seconds': '1e9' },
    { ...asked, 'hub.lease_seconds': '' },
    { 'hub.mode': 'subscribe', 'hub.challenge': 'c' },
    { 'hub.topic': topic, 'hub.challenge': 'c' },
    { 'hub.mode': 'unsubscribe', 'hub.topic': topic },
  ])('is none: %j', (fields) => {
    expect(readHubMessage(query(fields))).toBeUndefined();
  });

  test.each(Object.keys(asked))('is none if it says %s twice', (name) => {
    const twice = query(asked);
    twice.append(name, asked[name as keyof typeof asked]);
    expect(readHubMessage(twice)).toBeUndefined();
  });
});

describe('what a message comes to', () => {
  const now = new Date('2026-01-01T00:00:00Z');
  const at = (second: number): Date => new Date(now.getTime() + second * 1000);
  const terms = { now, fraction: 0.5, shortestLease: 300 };
  const row: HubSubscription = {
    collection: collectionKey('todo'),
    subscription: subscriptionId('peer'),
    hub: 'https://hub.example/',
    topic,
    token: 'abc',
    secret: 'def',
    callback: 'https://here.example/websub/abc',
    attempts: 3,
    nextAt: now,
    revision: 3,
  };
  const pending = { ...row, pending: 'subscribe' } as const;
  const message = { mode: 'subscribe', topic, challenge: 'c', lease: 1000 } as const;

  test('a lease is renewed when 80 to 90 % of it have passed', () => {
    const leased = { ...row, leasedUntil: at(1000), attempts: 0, nextAt: at(850) };
    const change = { leasedUntil: at(1000), reason: null };
    expect(verify(pending, message, true, terms)).toEqual({ row: leased, change });
    expect(verify(pending, message, true, { ...terms, fraction: 0 })?.row?.nextAt).toEqual(at(800));
  });

  test.each([
    [1, 1, 300],
    [1e14, 2_592_000, 2_592_000 * 0.85],
    [undefined, 86_400, 86_400 * 0.85],
  ])('a lease of %s s lasts for %i s and is renewed after %i s', (lease, lasts, renewed) => {
    const outcome = verify(pending, { ...message, lease }, true, terms);
    expect(outcome?.row).toMatchObject({ leasedUntil: at(lasts), nextAt: at(renewed) });
  });

  test('only what was requested is verified, and once', () => {
    expect(verify(row, message, true, terms)).toBeUndefined();
    expect(verify({ ...row, leasedUntil: at(9) }, message, true, terms)).toBeUndefined();
    expect(verify({ ...row, pending: 'unsubscribe' }, message, true, terms)).toBeUndefined();
    expect(verify(pending, message, false, terms)).toBeUndefined();
    expect(verify(pending, { ...message, topic: `${topic}/` }, true, terms)).toBeUndefined();
    expect(verify(pending, { ...message, mode: 'unsubscribe' }, true, terms)).toBeUndefined();
  });

  test('an end that was requested ends it, also if the feed is read', () => {
    const goodbye = { ...row, pending: 'unsubscribe' } as const;
    for (const isWanted of [true, false])
      expect(verify(goodbye, { ...message, mode: 'unsubscribe' }, isWanted, terms)).toEqual({
        row: undefined,
        change: { leasedUntil: null },
      });
  });

  test('a denial ends a lease and a request, and is asked about again a day later', () => {
    const denied = { mode: 'denied', topic, reason: 'no' } as const;
    for (const known of [pending, { ...row, leasedUntil: at(9) }])
      expect(verify(known, denied, true, terms)).toEqual({
        row: { ...row, nextAt: at(86_400) },
        change: { leasedUntil: null, reason: 'the hub has refused: no' },
      });
    expect(verify(row, denied, true, terms)).toBeUndefined();
    expect(verify({ ...row, pending: 'unsubscribe' }, denied, true, terms)).toBeUndefined();
    expect(verify(pending, { ...denied, reason: '' }, true, terms)?.change.reason).toBe(
      'the hub has refused',
    );
  });
});
