import { describe, expect, test } from '@jest/globals';
import { collectionKey, subscriptionId } from '#core';
import type { HubSubscription, Subscription } from '#core';
import { hubStep, refused, requested } from './hub-step.ts';
import type { HubStep } from './hub-step.ts';

const at = (second: number): Date => new Date(Date.UTC(2026, 0, 1) + second * 1000);
const callbacks = 'https://here.example/websub/';
const row: HubSubscription = {
  collection: collectionKey('todo'),
  subscription: subscriptionId('peer'),
  hub: 'https://hub.example/',
  topic: 'https://feeds.example/',
  token: 'abc',
  secret: 'def',
  callback: `${callbacks}abc`,
  attempts: 0,
  nextAt: at(0),
  revision: 3,
};
const hub = { url: row.hub, topic: row.topic };
const reader: Pick<Subscription, 'status' | 'hub'> = { status: 'active', hub };

describe('what is to be done', () => {
  const leased = { leasedUntil: at(50) };
  const goodbye = { pending: 'unsubscribe' } as const;
  test.each<
    [string, Partial<HubSubscription>, Partial<typeof reader> | undefined, string | undefined, HubStep]
  >([
    ['for a new one', {}, {}, callbacks, 'subscribe'],
    ['for one that was not verified', { pending: 'subscribe', attempts: 9 }, {}, callbacks, 'subscribe'],
    ['for a lease to be renewed', leased, {}, callbacks, 'subscribe'],
    ['for one that is wanted again', goodbye, {}, callbacks, 'subscribe'],
    ['if the subscription was removed', leased, undefined, callbacks, 'unsubscribe'],
    ['if it is paused', leased, { status: 'paused' }, callbacks, 'unsubscribe'],
    ['if the feed is gone', leased, { status: 'gone' }, callbacks, 'unsubscribe'],
    ['if the feed names another hub', leased, { hub: { ...hub, url: 'x' } }, callbacks, 'unsubscribe'],
    ['if it has another topic', leased, { hub: { ...hub, topic: 'x' } }, callbacks, 'unsubscribe'],
    ['if it names no hub', leased, { hub: undefined }, callbacks, 'unsubscribe'],
    ['if WebSub is off', leased, {}, undefined, 'unsubscribe'],
    ['if we have another address', leased, {}, 'https://there.example/websub/', 'unsubscribe'],
    ['if the hub may verify it yet', { pending: 'subscribe' }, undefined, callbacks, 'unsubscribe'],
    ['if the hub knows of nothing', {}, undefined, callbacks, 'forget'],
    ['if its lease has ended', { leasedUntil: at(1) }, undefined, callbacks, 'forget'],
    ['if the end was announced to the hub', { ...goodbye, attempts: 3 }, undefined, callbacks, 'unsubscribe'],
    ['if it was announced often enough', { ...goodbye, attempts: 4 }, undefined, callbacks, 'forget'],
  ])('%s', (_when, given, changed, base, expected) => {
    const subscription = changed && { ...reader, ...changed };
    expect(hubStep({ ...row, ...given }, subscription, base, at(10))).toBe(expected);
  });
});

describe('a request', () => {
  const wait = { now: at(100), fraction: 0, retry: 300 };

  test('is sent again after twice the time with each attempt, up to a day', () => {
    let sent = row;
    const waits = Array.from({ length: 12 }, () => {
      sent = refused(requested(sent, 'subscribe', wait));
      return (sent.nextAt.getTime() - wait.now.getTime()) / 1000;
    });
    expect(waits.slice(0, 4)).toEqual([300, 600, 1200, 2400]);
    expect(waits.at(-1)).toBe(86_400);
    expect(requested(row, 'subscribe', { ...wait, fraction: 0.5 }).nextAt).toEqual(at(475));
  });

  test('of another kind begins anew', () => {
    const sent = requested({ ...row, pending: 'subscribe', attempts: 7 }, 'unsubscribe', wait);
    expect(sent).toMatchObject({ pending: 'unsubscribe', attempts: 1 });
    expect(requested(sent, 'unsubscribe', wait).attempts).toBe(2);
    expect(requested(sent, 'subscribe', wait)).toMatchObject({ pending: 'subscribe', attempts: 1 });
  });

  test('that failed leaves nothing to verify but an end', () => {
    const renewal = requested({ ...row, leasedUntil: at(200) }, 'subscribe', wait);
    expect(refused(renewal)).toEqual({ ...row, leasedUntil: at(200), attempts: 1, nextAt: at(400) });
    const goodbye = requested(row, 'unsubscribe', wait);
    expect(refused(goodbye)).toEqual(goodbye);
  });
});
