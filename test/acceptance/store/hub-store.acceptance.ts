import { randomBytes } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { collectionKey, subscriptionId } from '#core';
import type { CollectionKey, HubStore, HubSubscription } from '#core';
import type { OpenFixture } from './fixture.ts';
import { useStore } from './fixture.ts';
import { collection, second } from './samples.ts';

const never = new Date('2099-01-01T00:00:00Z');

function row(key: CollectionKey, given: Partial<HubSubscription> = {}): HubSubscription {
  return {
    collection: key,
    subscription: subscriptionId('beta'),
    hub: 'https://hub.example/',
    topic: 'https://feeds.example/beta',
    token: randomBytes(32).toString('hex'),
    secret: 'ab'.repeat(32),
    callback: 'https://here.example/websub/0',
    attempts: 0,
    nextAt: never,
    revision: 0,
    ...given,
  };
}

/** Takes what is due in this collection; those of other tests are taken as well. */
async function takeAll(hubs: HubStore, key: CollectionKey, now: Date): Promise<string[]> {
  const tokens: string[] = [];
  for (let taken = await hubs.takeDue(now, never); taken; taken = await hubs.takeDue(now, never))
    if (taken.collection.startsWith(key)) tokens.push(taken.token);
  return tokens;
}

/** What every store of subscriptions at hubs does. */
export function describeHubStore(name: string, open: OpenFixture): void {
  describe(`Subscriptions at hubs in ${name}`, () => {
    const under = useStore(open);

    test('one is added for each subscription, hub and topic, and found by its token', async () => {
      const { key, store } = under;
      const added = [
        row(key),
        row(key, { topic: 'https://feeds.example/gamma' }),
        row(key, { hub: 'https://other.example/' }),
        row(key, { subscription: subscriptionId('gamma') }),
      ];
      const again = row(key);
      for (const one of [...added, again]) await store.hubs.add(one);
      for (const one of added) expect(await store.hubs.find(one.token)).toEqual(one);
      expect(await store.hubs.find(again.token)).toBeUndefined();
      expect(await store.hubs.find('')).toBeUndefined();
    });

    test('of many that add the same at the same time one is kept', async () => {
      const { key, store } = under;
      const added = Array.from({ length: 10 }, () => row(key));
      await Promise.all(added.map((one) => store.hubs.add(one)));
      const found = await Promise.all(added.map(({ token }) => store.hubs.find(token)));
      expect(found.filter((one) => one !== undefined)).toHaveLength(1);
    });

    test('what is due is taken once, the longest overdue first', async () => {
      const { key, store } = under;
      const [late, first, future] = [3, 2, 30].map((at) =>
        row(key, { topic: `https://feeds.example/${at}`, nextAt: second(at) }),
      ) as [HubSubscription, HubSubscription, HubSubscription];
      for (const one of [late, first, future]) await store.hubs.add(one);
      expect(await takeAll(store.hubs, key, second(10))).toEqual([first.token, late.token]);
      expect(await store.hubs.find(first.token)).toEqual({ ...first, nextAt: never, revision: 1 });
      const many = Array.from({ length: 10 }, (_, place) =>
        row(key, { subscription: subscriptionId(`many-${place}`), nextAt: second(1) }),
      );
      for (const one of many) await store.hubs.add(one);
      const takers = await Promise.all(Array.from({ length: 4 }, () => takeAll(store.hubs, key, second(10))));
      expect(takers.flat().toSorted()).toEqual(many.map(({ token }) => token).toSorted());
    });

    test('is replaced and removed as it was read, and by nobody who read it earlier', async () => {
      const { key, store } = under;
      const former = row(key);
      await store.hubs.add(former);
      const { pending: _none, ...latter } = {
        ...former,
        pending: 'subscribe' as const,
        leasedUntil: second(7),
      };
      expect(await store.hubs.replace(former, { ...latter, pending: 'subscribe' })).toBe(true);
      expect(await store.hubs.replace(former, latter)).toBe(false);
      expect(await store.hubs.remove(former)).toBe(false);
      const read = (await store.hubs.find(former.token)) ?? former;
      expect(read).toEqual({ ...latter, pending: 'subscribe', revision: 1 });
      expect(await store.hubs.replace(read, latter)).toBe(true);
      expect(await store.hubs.find(former.token)).toEqual({ ...latter, revision: 2 });
      expect(await store.hubs.remove({ ...former, revision: 2 })).toBe(true);
      expect(await store.hubs.find(former.token)).toBeUndefined();
    });

    test('those of a subscription, or of a collection, become due', async () => {
      const { key, store } = under;
      const longer = collectionKey(`${key}-2`);
      const [own, other, elsewhere] = [
        row(key),
        row(key, { subscription: subscriptionId('beta-2') }),
        row(longer),
      ] as [HubSubscription, HubSubscription, HubSubscription];
      for (const one of [own, other, elsewhere]) await store.hubs.add(one);
      await store.hubs.wake(key, own.subscription, second(5));
      expect(await takeAll(store.hubs, key, second(10))).toEqual([own.token]);
      await store.hubs.wake(key, undefined, second(5));
      expect((await takeAll(store.hubs, key, second(10))).toSorted()).toEqual(
        [own.token, other.token].toSorted(),
      );
      expect((await store.hubs.find(elsewhere.token))?.revision).toBe(0);
    });

    test('those with other callbacks become due, unless their end has been requested', async () => {
      const { key, store } = under;
      const callbacks = 'https://here.example/websub/';
      const [own, former, ended] = [{}, {}, { pending: 'unsubscribe' as const }].map((given, place) => {
        const one = row(key, { ...given, subscription: subscriptionId(`beta-${place}`) });
        return { ...one, callback: `${place === 0 ? callbacks : 'https://there.example/'}${one.token}` };
      }) as [HubSubscription, HubSubscription, HubSubscription];
      for (const one of [own, former, ended]) await store.hubs.add(one);
      await store.hubs.wakeOthers(callbacks, second(5));
      expect(await takeAll(store.hubs, key, second(10))).toEqual([former.token]);
      await store.hubs.wakeOthers(undefined, second(5));
      expect((await takeAll(store.hubs, key, second(10))).toSorted()).toEqual(
        [own.token, former.token].toSorted(),
      );
    });

    test('it outlives its collection', async () => {
      const { key, store } = under;
      const kept = row(key);
      await store.collections.create(collection(key));
      await store.hubs.add(kept);
      await store.collections.remove(key);
      expect(await store.hubs.find(kept.token)).toEqual(kept);
    });
  });
}
