import { describe, expect, test } from '@jest/globals';
import { collectionKey, reliedReason, subscriptionId, subscriptionState, unannouncedReason } from '#core';
import type {
  CollectionKey,
  Completion,
  DueFilter,
  FeedHub,
  FetchReport,
  FoundSubscription,
  NextFetch,
  SealedCredentials,
  Subscription,
  SubscriptionFilter,
} from '#core';
import type { OpenFixture } from './fixture.ts';
import { useStore } from './fixture.ts';
import { collection, feedSummary, foundDocument, second, subscription, treeProgress } from './samples.ts';
import { until } from '../../support/until.ts';

const beta = subscriptionId('beta');

function sealed(key: string, text: string): SealedCredentials {
  return { kind: 'basic', origin: 'https://feeds.example', key, sealed: text };
}

const minute = 60_000;
const next: NextFetch = { nextFetchAt: second(100), nextFetchReason: 'The feed asks for it.' };
const fetched: FetchReport = { at: second(50), outcome: 'fetched', items: 3, rejected: 1 };
const failed: FetchReport = {
  at: second(50),
  outcome: 'failed',
  rule: 'http-status',
  reason: 'The server answered 500.',
};

/** What every store of subscriptions does. */
export function describeSubscriptionStore(name: string, open: OpenFixture): void {
  describe(`Subscriptions in ${name}`, () => {
    const under = useStore(open);
    /** Ends a fetch of `beta` that has succeeded, unless the result says otherwise. */
    const complete = (result: Partial<Completion['result']> = {}, manifest = 'm1'): Promise<boolean> =>
      under.store.subscriptions.complete(under.key, beta, manifest, { ...next, report: fetched, ...result });

    test('what feed heads may show counts at the collection, other changes do not', async () => {
      const { store, key } = under;
      await store.collections.create(collection(key));
      const { subscriptions } = store;
      const revision = async (): Promise<number> =>
        (await store.collections.find(key))?.subscriptionsRevision ?? 0;
      const fetch = async (result: Partial<Completion['result']>): Promise<void> => {
        await subscriptions.lease(key, beta, 'm1', minute);
        await complete(result);
      };
      const counted = [
        () => subscriptions.put(subscription(key, 'beta')),
        () => subscriptions.createAll([subscription(key, 'gamma'), subscription(key, 'delta')]),
        () => subscriptions.put(subscription(key, 'beta', { status: 'paused' })),
        () => subscriptions.put(subscription(key, 'beta', { url: 'http://feeds.example/new' })),
        () => fetch({ feed: feedSummary() }),
        () => fetch({ url: 'http://feeds.example/moved' }),
        () => subscriptions.pause(key, beta),
        () => subscriptions.refresh(key, beta, next, true),
        () => fetch({ status: 'gone' }),
        () => subscriptions.remove(key, beta),
      ];
      let before = await revision();
      for (const change of counted) {
        await change();
        expect(await revision()).toBeGreaterThan(before);
        before = await revision();
      }
      await subscriptions.put(subscription(key, 'beta'));
      before = await revision();
      await subscriptions.put(subscription(key, 'beta', { interval: { minimum: 5, maximum: 6 } }));
      await subscriptions.createAll([subscription(key, 'beta')]);
      await fetch({ cursor: { etag: '"2"' } });
      await subscriptions.refresh(key, beta, next, false);
      await subscriptions.renew(key, beta, 'm1', minute);
      expect(await revision()).toBe(before);
    });

    describe('put', () => {
      test('a new one is created as it is given', async () => {
        const { store, key } = under;
        const given = subscription(key, 'beta', { cursor: { etag: 'W/"$x"' }, last: failed });
        expect(await store.subscriptions.put(given)).toEqual({ created: true, subscription: given });
        expect(await store.subscriptions.find(key, beta)).toEqual(given);
        expect(await store.subscriptions.find(key, subscriptionId('gamma'))).toBeUndefined();
      });

      test('the same feed again replaces interval and status, and nothing else', async () => {
        const { store, key } = under;
        const stored = subscription(key, 'beta', { cursor: { etag: '"1"' }, cursorVersion: 3, failures: 2 });
        await store.subscriptions.put(stored);
        const change = { interval: { minimum: 5, maximum: 6 }, status: 'paused' } as const;
        const answer = await store.subscriptions.put(
          subscription(key, 'beta', { ...change, nextFetchAt: second(999), createdAt: second(999) }),
        );
        expect(answer).toEqual({ created: false, subscription: { ...stored, ...change } });
        expect(await store.subscriptions.find(key, beta)).toEqual(answer.subscription);
      });

      test('a new url starts with an empty cursor, and a fetch of the former one is lost', async () => {
        const { store, key } = under;
        await store.subscriptions.put(
          subscription(key, 'beta', { cursor: { etag: '"1"' }, cursorVersion: 3, failures: 2 }),
        );
        await store.subscriptions.lease(key, beta, 'm1', minute);
        const moved = subscription(key, 'beta', {
          url: 'http://feeds.example/new',
          nextFetchAt: second(7),
          nextFetchReason: 'It moved.',
        });
        const answer = await store.subscriptions.put(moved);
        expect(answer).toEqual({ created: false, subscription: { ...moved, cursorVersion: 4 } });
        expect(await complete({ cursor: { etag: '"2"' } })).toBe(false);
        expect(await store.subscriptions.find(key, beta)).toEqual(answer.subscription);
      });

      test('what the former feed said is dropped with its url, and kept with it', async () => {
        const { store, key } = under;
        const rhythm = { since: second(0), at: second(1), changes: 2.5, recent: 0.5, week: 'AAB' };
        const stated = { timeToLive: 60, updates: { every: 3600, base: second(3) } };
        const stored = subscription(key, 'beta', { feed: feedSummary(), rhythm, stated });
        await store.subscriptions.put(stored);
        expect((await store.subscriptions.put(subscription(key, 'beta'))).subscription).toEqual(stored);
        await store.subscriptions.put(subscription(key, 'beta', { url: 'http://feeds.example/new' }));
        expect(await store.subscriptions.find(key, beta)).not.toHaveProperty('feed');
      });

      test('credentials stay until they are replaced or removed, or the origin is another', async () => {
        const { subscriptions } = under.store;
        const at = (path: string, more: Partial<Subscription> = {}): Subscription =>
          subscription(under.key, 'beta', { url: `https://feeds.example/${path}`, ...more });
        const credentials = sealed('k1', '1');
        const steps: [Subscription, boolean, SealedCredentials | undefined][] = [
          [at('a', { credentials }), false, credentials],
          [at('a'), false, credentials],
          [at('a', { credentials: sealed('k1', '2') }), false, sealed('k1', '2')],
          [at('b'), false, sealed('k1', '2')],
          [at('b'), true, undefined],
          [at('b', { credentials }), true, credentials],
          [at('c'), true, undefined],
          [at('d', { credentials }), false, credentials],
          [at('', { url: 'https://other.example/' }), false, undefined],
        ];
        for (const [given, without, expected] of steps) {
          const { subscription: answer } = await subscriptions.put(given, without);
          expect(answer.credentials).toEqual(expected);
          expect(await subscriptions.find(under.key, beta)).toEqual(answer);
        }
      });

      test('what requests send is replaced or removed, and the feed is requested anew', async () => {
        const { store, key } = under;
        const validators = { etag: '"1"', lastModified: 'x', date: 'y', unconditionalAt: second(1) };
        const read = { digest: 'd', until: '005' };
        const named = { userAgent: 'Reader/1', acceptLanguage: 'de' };
        const sealedOnes = { credentials: sealed('k1', '1') };
        const steps: [Partial<Subscription>, Partial<Subscription>, boolean][] = [
          [{}, {}, false],
          [{}, named, true],
          [named, named, false],
          [named, { ...named, userAgent: 'Reader/2' }, true],
          [named, { acceptLanguage: 'de' }, true],
          [named, { ...named, ...sealedOnes }, true],
          [{ ...named, ...sealedOnes }, { ...named, credentials: sealed('k1', '2') }, true],
        ];
        for (const [former, latter, isAnother] of steps) {
          await store.subscriptions.remove(key, beta);
          const cursor = { ...validators, ...read };
          await store.subscriptions.put(subscription(key, 'beta', { cursor, ...former }));
          await store.subscriptions.lease(key, beta, 'm1', minute);
          const { subscription: answer } = await store.subscriptions.put(subscription(key, 'beta', latter));
          expect(await store.subscriptions.find(key, beta)).toEqual(answer);
          const { userAgent, acceptLanguage, credentials } = answer;
          expect(subscription(key, 'beta', { userAgent, acceptLanguage, credentials })).toEqual(
            subscription(key, 'beta', latter),
          );
          expect(answer.cursor).toEqual(isAnother ? read : cursor);
          expect(await store.subscriptions.renew(key, beta, 'm1', minute)).toBe(!isAnother);
        }
      });

      test('what requests send is replaced together with the url', async () => {
        const { subscriptions } = under.store;
        await subscriptions.put(subscription(under.key, 'beta', { userAgent: 'Reader/1' }));
        const moved = { url: 'http://feeds.example/new', acceptLanguage: 'de' };
        const { subscription: answer } = await subscriptions.put(subscription(under.key, 'beta', moved));
        expect(answer).toMatchObject(moved);
        expect(answer).not.toHaveProperty('userAgent');
        expect(await subscriptions.find(under.key, beta)).toEqual(answer);
      });

      test('of many that put it at once, one creates it', async () => {
        const { store, key } = under;
        const answers = await Promise.all(
          [1, 2, 3, 4].map(() => store.subscriptions.put(subscription(key, 'beta'))),
        );
        expect(answers.filter(({ created }) => created)).toHaveLength(1);
      });

      test('of many that read a feed, put at once, one is stored, which the others are given', async () => {
        const { store, key } = under;
        const ids = ['one', 'two', 'three', 'four'];
        const answers = await Promise.all(
          ids.map((id) =>
            store.subscriptions.put(subscription(key, id, { url: `HTTP://feeds.example/same#${id}` })),
          ),
        );
        const [stored, ...others] = await store.subscriptions.list(key, { limit: 10 });
        expect(others).toEqual([]);
        expect(answers.filter(({ created }) => created)).toHaveLength(1);
        expect(answers.map((answer) => answer.subscription)).toEqual(ids.map(() => stored));
      });

      test('a new url that another one reads is not stored, nor does it end a fetch', async () => {
        const { store, key } = under;
        await store.subscriptions.put(subscription(key, 'alpha'));
        await store.subscriptions.put(subscription(key, 'beta'));
        await store.subscriptions.lease(key, beta, 'm1', minute);
        expect(
          await store.subscriptions.put(subscription(key, 'beta', { url: 'http://feeds.example/alpha#x' })),
        ).toEqual({ created: false, subscription: subscription(key, 'alpha') });
        expect(await store.subscriptions.find(key, beta)).toEqual(
          subscription(key, 'beta', { manifest: 'm1' }),
        );
      });

      test('a feed that is read no more is free for another, as is one of another collection', async () => {
        const { store, key } = under;
        const other = collectionKey(`${key}-other`);
        const url = 'http://feeds.example/shared';
        await store.subscriptions.put(subscription(key, 'beta', { url }));
        await store.subscriptions.put(subscription(key, 'beta'));
        await store.subscriptions.put(subscription(key, 'gamma', { url }));
        await store.subscriptions.remove(key, subscriptionId('gamma'));
        const created = { created: true };
        expect(await store.subscriptions.put(subscription(key, 'delta', { url }))).toMatchObject(created);
        expect(await store.subscriptions.put(subscription(other, 'beta', { url }))).toMatchObject(created);
        await store.subscriptions.remove(other, beta);
      });
    });

    test('a move is kept, and followed with cursor and lease, unless the url is another by now', async () => {
      const { subscriptions } = under.store;
      const { key } = under;
      const stored = subscription(key, 'beta', { cursor: { etag: '"1"' } });
      await subscriptions.put(stored);
      await subscriptions.lease(key, beta, 'm1', minute);
      const move = { url: 'https://feeds.example/there', since: second(1) };
      await subscriptions.noteMove({ ...stored, url: 'https://feeds.example/else' }, move);
      expect(await subscriptions.find(key, beta)).not.toHaveProperty('move');
      await subscriptions.noteMove(stored, move);
      expect((await subscriptions.find(key, beta))?.move).toEqual(move);
      await subscriptions.noteMove(stored, undefined);
      expect(await subscriptions.find(key, beta)).not.toHaveProperty('move');
      await subscriptions.noteMove(stored, move);
      expect(await subscriptions.followMove(stored, move.url)).toBe(true);
      expect(await subscriptions.followMove(stored, move.url)).toBe(false);
      expect(await subscriptions.find(key, beta)).toEqual({ ...stored, url: move.url, manifest: 'm1' });
      expect((await subscriptions.matching(key, subscriptionId('other'), move.url)).length).toBe(1);
    });

    test('the hub of a feed is kept with what is known of it, until the feed names another', async () => {
      const { store, key } = under;
      const { subscriptions } = store;
      const stored = subscription(key, 'beta', { status: 'active' });
      const [hub, other] = ['hub', 'other'].map((host) => ({
        url: `https://${host}.example/`,
        topic: stored.url,
      })) as [FeedHub, FeedHub];
      const found = async (): Promise<FeedHub | undefined> => (await subscriptions.find(key, beta))?.hub;
      await subscriptions.put(stored);
      await subscriptions.setHub({ ...stored, url: 'https://feeds.example/else' }, hub);
      expect(await found()).toBeUndefined();
      expect(await subscriptions.noteHub(stored, hub, { reason: 'none' })).toBe(false);
      await subscriptions.setHub(stored, hub);
      expect(await subscriptions.noteHub(stored, other, { reason: 'another' })).toBe(false);
      expect(await subscriptions.noteHub(stored, hub, { leasedUntil: second(9), reason: 'r' })).toBe(true);
      expect(await subscriptions.noteHub(stored, hub, { missedAt: second(5), reason: null })).toBe(true);
      expect(await found()).toEqual({ ...hub, leasedUntil: second(9), missedAt: second(5) });
      await subscriptions.setHub(stored, other);
      expect(await found()).toEqual(other);
      await subscriptions.put({ ...stored, url: 'https://feeds.example/else' });
      expect(await found()).toBeUndefined();
      await subscriptions.setHub({ ...stored, url: 'https://feeds.example/else' }, hub);
      await subscriptions.setHub({ ...stored, url: 'https://feeds.example/else' }, undefined);
      expect(await found()).toBeUndefined();
    });

    test('an announcement makes a subscription due once, also during a fetch', async () => {
      const { store, key } = under;
      const { subscriptions } = store;
      const hub = { url: 'https://hub.example/', topic: 'https://feeds.example/beta' };
      const stored = subscription(key, 'beta', { status: 'active' });
      const announced = { nextFetchAt: second(70), nextFetchReason: 'the hub announces changes' };
      await subscriptions.put(stored);
      expect(await subscriptions.announce(stored, hub, announced)).toBe(false);
      await subscriptions.setHub(stored, hub);
      await subscriptions.lease(key, beta, 'm1', minute);
      expect(await subscriptions.announce(stored, hub, announced)).toBe(true);
      expect(await subscriptions.announce(stored, hub, announced)).toBe(false);
      await complete();
      const after = await subscriptions.find(key, beta);
      expect(after).toMatchObject({ ...announced, hub: { ...hub, announcedAt: second(70) } });
      expect(await subscriptions.announce(stored, after?.hub ?? hub, next)).toBe(true);
      await subscriptions.pause(key, beta);
      const paused = (await subscriptions.find(key, beta))?.hub ?? hub;
      expect(await subscriptions.announce(stored, paused, announced)).toBe(false);
    });

    test('a subscription that is left to its hub, or may be being fetched, is polled as usual', async () => {
      const { store, key } = under;
      const { subscriptions } = store;
      const relied = { nextFetchAt: second(70), nextFetchReason: reliedReason };
      const due = { nextFetchAt: second(5), nextFetchReason: unannouncedReason };
      const [left, fetching, usual, paused, begun] = [
        subscription(key, 'alpha', relied),
        subscription(key, 'beta', { nextFetchAt: second(1) }),
        subscription(key, 'delta', { nextFetchAt: second(70) }),
        subscription(key, 'gamma', { ...relied, status: 'paused' }),
        subscription(key, 'zeta', { nextFetchAt: second(5) }),
      ];
      const all = [left, fetching, usual, paused, begun] as [Subscription, ...Subscription[]];
      await subscriptions.createAll(all);
      await subscriptions.lease(key, beta, 'm1', minute);
      for (const one of all) await subscriptions.pollAsUsual(one, second(5));
      await subscriptions.complete(key, beta, 'm1', { ...relied, report: fetched });
      expect(await subscriptions.list(key, { limit: 10 })).toMatchObject([
        due,
        due,
        { nextFetchAt: usual?.nextFetchAt },
        relied,
        due,
      ]);
    });

    test('the readers of a url are counted in all collections, unless they are paused', async () => {
      const { store, key } = under;
      const { subscriptions } = store;
      const url = `https://feeds.example/${key}`;
      const other = collectionKey(`${key}-2`);
      const nextFetchAt = second(1_000_000);
      await subscriptions.createAll([
        subscription(key, 'alpha', { url, nextFetchAt }),
        subscription(key, 'beta', { url: `${url}/2`, nextFetchAt }),
        subscription(other, 'gamma', { url, nextFetchAt }),
        subscription(collectionKey(`${key}-3`), 'delta', { url, status: 'paused' }),
      ]);
      const counted = await Promise.all(
        [url, `${url}/2`, `${url}/3`].map((each) => subscriptions.countReaders(each)),
      );
      expect(counted).toEqual([2, 1, 0]);
    });

    test('credentials under other keys are found, and replaced unless they have changed', async () => {
      const { store, key } = under;
      const { subscriptions } = store;
      const [former, changed] = [sealed(`${key}-old`, '1'), sealed(`${key}-old`, '2')];
      await subscriptions.createAll([
        subscription(key, 'alpha', { credentials: sealed(`${key}-new`, '1') }),
        subscription(key, 'beta', { credentials: former }),
        subscription(key, 'gamma'),
      ]);
      const found = async (): Promise<unknown> =>
        (await subscriptions.sealedOtherwise(`${key}-new`, 1000))
          .filter(({ collection: name }) => name === key)
          .map(({ id, credentials }) => [id, credentials]);
      expect(await found()).toEqual([['beta', former]]);
      const place = { collection: key, id: beta };
      expect(await subscriptions.reseal(place, changed, sealed(`${key}-new`, '3'))).toBe(false);
      expect(await found()).toEqual([['beta', former]]);
      expect(await subscriptions.reseal(place, former, sealed(`${key}-new`, '3'))).toBe(true);
      expect(await found()).toEqual([]);
    });

    test('of several that are created at once those are left out whose id or feed is there', async () => {
      const { store, key } = under;
      const beta1 = subscription(key, 'beta');
      await store.subscriptions.put(beta1);
      const [alpha, delta] = [subscription(key, 'alpha'), subscription(key, 'delta')];
      const created = await store.subscriptions.createAll([
        alpha,
        subscription(key, 'beta', { url: 'http://feeds.example/other' }),
        subscription(key, 'gamma', { url: `${beta1.url}#gamma` }),
        delta,
      ]);
      expect(created).toEqual([alpha, delta]);
      expect(await store.subscriptions.list(key, { limit: 10 })).toEqual([alpha, beta1, delta]);
      expect(await store.subscriptions.createAll([])).toEqual([]);
    });

    test('what matches is the one with an id, and whatever reads a feed', async () => {
      const { store, key } = under;
      for (const id of ['alpha', 'beta', 'gamma']) await store.subscriptions.put(subscription(key, id));
      const matching = async (id: string, url: string): Promise<string[]> =>
        (await store.subscriptions.matching(key, subscriptionId(id), url))
          .map((found) => found.id)
          .toSorted();
      expect(await matching('beta', 'http://feeds.example/none')).toEqual(['beta']);
      expect(await matching('none', 'http://FEEDS.example:80/gamma#x')).toEqual(['gamma']);
      expect(await matching('alpha', 'http://feeds.example/gamma')).toEqual(['alpha', 'gamma']);
      expect(await matching('none', 'http://feeds.example/none')).toEqual([]);
      expect(
        await store.subscriptions.matching(collectionKey(`${key}-other`), beta, 'http://feeds.example/beta'),
      ).toEqual([]);
      expect(await store.subscriptions.matching(key, beta, 'http://feeds.example/beta')).toEqual([
        subscription(key, 'beta'),
      ]);
    });

    test('a feed that has moved to where another one reads is found there, beside it', async () => {
      const { store, key } = under;
      await store.subscriptions.put(subscription(key, 'alpha'));
      await store.subscriptions.put(subscription(key, 'beta'));
      await store.subscriptions.lease(key, beta, 'm1', minute);
      const { url } = subscription(key, 'alpha');
      expect(await complete({ url })).toBe(true);
      const found = await store.subscriptions.matching(key, subscriptionId('none'), url);
      expect(found.map(({ id }) => id).toSorted()).toEqual(['alpha', 'beta']);
      await store.subscriptions.remove(key, subscriptionId('alpha'));
      expect(await store.subscriptions.matching(key, subscriptionId('none'), url)).toMatchObject([
        { id: 'beta' },
      ]);
    });

    test('a list is in ascending order of id, page after page', async () => {
      const { store, key } = under;
      for (const id of ['b', 'a-1', 'a', 'a1', 'c']) await store.subscriptions.put(subscription(key, id));
      const first = await store.subscriptions.list(key, { limit: 3 });
      expect(first.map(({ id }) => id)).toEqual(['a', 'a-1', 'a1']);
      expect((await store.subscriptions.list(key, { limit: 3, after: 'a1' })).map(({ id }) => id)).toEqual([
        'b',
        'c',
      ]);
    });

    test('a list of those whose feeds have markup has no others', async () => {
      const { store, key } = under;
      for (const [id, markup] of [
        ['b', ['<x:b xmlns:x="urn:example"/>']],
        ['none', []],
        ['a', ['<x:a xmlns:x="urn:example"/>', '<x:c xmlns:x="urn:example"/>']],
        ['unread', undefined],
      ] as const) {
        const stored = subscription(key, id);
        await store.subscriptions.put(stored);
        if (markup === undefined) continue;
        await store.subscriptions.lease(key, stored.id, 'm1', 60_000);
        await store.subscriptions.complete(key, stored.id, 'm1', {
          report: { at: second(1), outcome: 'fetched' },
          nextFetchAt: second(2),
          nextFetchReason: 'It is time.',
          feed: { markup: [...markup], aggregated: [] },
        });
      }
      const list = async (limit: number, after?: string): Promise<string[]> =>
        (
          await store.subscriptions.list(key, {
            limit,
            hasMarkup: true,
            ...(after !== undefined && { after }),
          })
        ).map(({ id }) => id);
      expect(await list(10)).toEqual(['a', 'b']);
      expect([await list(1), await list(1, 'a')]).toEqual([['a'], ['b']]);
    });

    test('a removed one is gone, and cannot be removed again', async () => {
      const { store, key } = under;
      await store.subscriptions.put(subscription(key, 'beta'));
      expect(await store.subscriptions.remove(key, beta)).toBe(true);
      expect(await store.subscriptions.find(key, beta)).toBeUndefined();
      expect(await store.subscriptions.remove(key, beta)).toBe(false);
    });

    const release = (until: NextFetch): Promise<number> =>
      under.store.subscriptions.releaseAll([
        { collection: under.key, id: beta, manifest: 'm1', next: until },
      ]);

    /** The ids of those that are due, in their order. */
    async function due(filter: Partial<DueFilter> = {}, now = second(20)): Promise<string[]> {
      const found = await under.store.subscriptions.listDue(now, { limit: 10, ...filter });
      return found.map(({ id }) => id);
    }

    describe('those that are due', () => {
      test('are the active ones without a lease, the longest overdue first', async () => {
        const { store, key } = under;
        await store.subscriptions.put(subscription(key, 'late', { nextFetchAt: second(10) }));
        await store.subscriptions.put(subscription(key, 'later', { nextFetchAt: second(5) }));
        await store.subscriptions.put(subscription(key, 'now', { nextFetchAt: second(20) }));
        await store.subscriptions.put(subscription(key, 'not-yet', { nextFetchAt: second(21) }));
        await store.subscriptions.put(subscription(key, 'paused', { status: 'paused' }));
        await store.subscriptions.put(subscription(key, 'gone', { status: 'gone' }));
        await store.subscriptions.put(subscription(key, 'leased'));
        await store.subscriptions.lease(key, subscriptionId('leased'), 'm1', minute);
        expect(await store.subscriptions.listDue(second(20), { limit: 1 })).toEqual([
          { collection: key, id: 'later', host: 'feeds.example', nextFetchAt: second(5) },
        ]);
        expect(await due()).toEqual(['later', 'late', 'now']);
        expect(await due({ limit: 1, except: [`${key}/later`, `${key}/none`] })).toEqual(['late']);
        expect(await due({ dueFrom: second(10) })).toEqual(['late', 'now']);
        expect(await due({ dueFrom: second(11) })).toEqual(['now']);
        const found = ['later', 'not-yet', 'paused', 'gone', 'leased', 'none'].map((id) =>
          store.subscriptions.findDue(key, subscriptionId(id), second(20)),
        );
        expect((await Promise.all(found)).map((one) => one?.id)).toEqual([
          'later',
          ...Array(5).fill(undefined),
        ]);
        expect(await store.subscriptions.findDue(key, subscriptionId('later'), second(20))).toEqual(
          subscription(key, 'later', { nextFetchAt: second(5) }),
        );
      });

      test('are none at the excepted hosts; ports distinguish hosts, schemes and case do not', async () => {
        const { store, key } = under;
        const urls = {
          a: 'http://slow.example/a',
          b: 'https://me:secret@SLOW.example:443/b',
          c: 'http://slow.example:8080/c',
          d: 'http://other.example/slow.example',
        };
        for (const [id, url] of Object.entries(urls))
          await store.subscriptions.put(subscription(key, id, { url }));
        const without = async (...exceptHosts: string[]): Promise<string[]> =>
          (await due({ exceptHosts })).toSorted();
        expect(await without('slow.example', 'slow.example:8080')).toEqual(['d']);
        expect(await without('slow.example')).toEqual(['c', 'd']);
        expect(await without()).toEqual(['a', 'b', 'c', 'd']);
        await store.subscriptions.put(subscription(key, 'd', { url: 'http://slow.example/d' }));
        expect(await without('slow.example')).toEqual(['c']);
      });

      test('are listed as slow if they are, or without the slow ones', async () => {
        const { store, key } = under;
        const ids = ['a', 'b'];
        const [first] = await store.subscriptions.createAll(
          ids.map((id, place) => subscription(key, id, { nextFetchAt: second(place) })),
        );
        if (first === undefined) throw new Error('Nothing was created.');
        const slowness = async (): Promise<unknown[]> =>
          (await store.subscriptions.listDue(second(20), { limit: 10 })).map(({ isSlow }) => isSlow);
        await store.subscriptions.noteSlow(first, true);
        await store.subscriptions.noteSlow({ ...first, url: 'http://feeds.example/former' }, false);
        expect(await slowness()).toEqual([true, undefined]);
        expect(await due({ exceptSlow: true })).toEqual(['b']);
        await store.subscriptions.noteSlow(first, false);
        expect(await slowness()).toEqual([undefined, undefined]);
        await store.subscriptions.noteSlow(first, true);
        await store.subscriptions.put(subscription(key, 'a', { url: 'http://feeds.example/other' }));
        expect(await store.subscriptions.find(key, first.id)).not.toHaveProperty('isSlow');
      });

      test('are those whose leases have run out', async () => {
        const { store, key } = under;
        await store.subscriptions.put(subscription(key, 'beta'));
        await store.subscriptions.lease(key, beta, 'm1', 1);
        expect(await until(async () => (await due())[0])).toBe('beta');
        expect(await store.subscriptions.findDue(key, beta, second(20))).toBeDefined();
      });

      test('are all of them again once they are released, one that was refreshed at its time', async () => {
        const { store, key } = under;
        const requested: NextFetch = { nextFetchAt: second(7), nextFetchReason: 'It was requested.' };
        const ids = ['a', 'b', 'lost'].map((id) => subscriptionId(id));
        for (const id of ids) await store.subscriptions.put(subscription(key, id));
        for (const id of ids) await store.subscriptions.lease(key, id, `m-${id}`, minute);
        await store.subscriptions.refresh(key, subscriptionId('b'), requested, false);
        const releases = ids.map((id) => ({
          collection: key,
          id,
          manifest: id === 'lost' ? 'another' : `m-${id}`,
          next,
        }));
        expect(await store.subscriptions.releaseAll(releases)).toBe(2);
        expect(await store.subscriptions.list(key, { limit: 10 })).toEqual([
          subscription(key, 'a', next),
          subscription(key, 'b', requested),
          subscription(key, 'lost', { manifest: 'm-lost' }),
        ]);
      });
    });

    describe('a fetch without a lease', () => {
      const requested: NextFetch = { nextFetchAt: second(7), nextFetchReason: 'It was requested.' };
      const begin = async (more: Partial<Subscription> = {}): Promise<FoundSubscription> => {
        const { store, key } = under;
        await store.subscriptions.put(subscription(key, 'beta', more));
        const found = await store.subscriptions.findDue(key, beta, second(20));
        if (found === undefined) throw new Error('It is not due.');
        return found;
      };
      const end = (found: FoundSubscription, result: Partial<Completion['result']> = {}): Promise<number> =>
        under.store.subscriptions.completeAll([
          {
            collection: under.key,
            id: beta,
            manifest: 'm1',
            found,
            result: { ...next, report: fetched, ...result },
          },
        ]);
      const stored = (): Promise<Subscription | undefined> => under.store.subscriptions.find(under.key, beta);

      test('ends if nothing has changed, and once', async () => {
        const found = await begin({ last: failed, failures: 2 });
        expect(await end(found, { cursor: { etag: '"2"' } })).toBe(1);
        const ended = await stored();
        expect(ended).toMatchObject({ ...next, last: fetched, failures: 0, cursor: { etag: '"2"' } });
        expect(await end(found)).toBe(0);
        const other = await stored();
        expect(other).toEqual(ended);
      });

      test('of two that found the same, one ends', async () => {
        const found = await begin();
        const report = { ...failed, at: second(51) };
        expect(await end(found, { report })).toBe(1);
        expect(await end(found, { report: { ...failed, at: second(52) } })).toBe(0);
        expect(await stored()).toMatchObject({ failures: 1, last: report });
      });

      test('keeps the time of a refresh that was requested, before it or during it', async () => {
        const { store, key } = under;
        await store.subscriptions.put(subscription(key, 'beta'));
        await store.subscriptions.refresh(key, beta, requested, false);
        const found = await begin();
        expect(found).toMatchObject(requested);
        expect(await end(found)).toBe(1);
        expect(await stored()).toMatchObject({ ...next, last: fetched });
        const again = await store.subscriptions.findDue(key, beta, second(100));
        if (again === undefined) throw new Error('It is not due.');
        await store.subscriptions.refresh(key, beta, requested, false);
        const later = { ...fetched, at: second(60) };
        expect(await end(again, { report: later })).toBe(1);
        expect(await stored()).toMatchObject({ ...requested, last: later });
        // The refresh was noted there, and does not count for a fetch with a lease that begins afterwards.
        await store.subscriptions.lease(key, beta, 'm2', minute);
        await complete({ report: later }, 'm2');
        expect(await stored()).toMatchObject(next);
      });

      test('sets its own time although it was postponed with its host', async () => {
        const host = `${under.key}.example`;
        const found = await begin({ url: `http://${host}/feed` });
        const late: NextFetch = { nextFetchAt: second(500), nextFetchReason: 'The host is paused.' };
        await under.store.subscriptions.postponeHost(host, late);
        expect(await end(found, { report: failed })).toBe(1);
        expect(await stored()).toMatchObject({ ...next, failures: 1 });
      });

      test.each<[string, () => Promise<unknown>]>([
        [
          'its url is another',
          () =>
            under.store.subscriptions.put(subscription(under.key, 'beta', { url: 'http://new.example/' })),
        ],
        [
          'its requests send something else',
          () => under.store.subscriptions.put(subscription(under.key, 'beta', { userAgent: 'Other/1' })),
        ],
        ['another fetch has leased it', () => under.store.subscriptions.lease(under.key, beta, 'm2', minute)],
        ['it is removed', () => under.store.subscriptions.remove(under.key, beta)],
        [
          'it is another one with the same name',
          async () => {
            await under.store.subscriptions.remove(under.key, beta);
            await under.store.subscriptions.put(subscription(under.key, 'beta', { createdAt: second(9) }));
          },
        ],
      ])('is lost if %s', async (_what, change) => {
        const found = await begin();
        await change();
        const changed = await stored();
        expect(await end(found)).toBe(0);
        expect(await under.store.subscriptions.lease(under.key, beta, 'm1', minute, found)).toBeUndefined();
        expect(await stored()).toEqual(changed);
      });

      test('keeps other settings that were changed, and a pause', async () => {
        const { store, key } = under;
        const found = await begin();
        const change = { interval: { minimum: 5, maximum: 6 }, status: 'paused' } as const;
        await store.subscriptions.put(subscription(key, 'beta', change));
        expect(await store.subscriptions.lease(key, beta, 'm1', minute, found)).toBeUndefined();
        expect(await end(found)).toBe(1);
        expect(await stored()).toMatchObject({ ...change, ...next, last: fetched });
      });

      test('may be released', async () => {
        const { store, key } = under;
        const found = await begin();
        const release = { collection: key, id: beta, manifest: 'm1', found, next: requested };
        expect(await store.subscriptions.releaseAll([release])).toBe(1);
        expect(await stored()).toEqual({ ...found, ...requested });
      });

      test('leases it unless another fetch has ended, and keeps the time of a refresh since', async () => {
        const { store, key } = under;
        await store.subscriptions.put(subscription(key, 'beta'));
        const first = { ...requested, nextFetchAt: second(3) };
        await store.subscriptions.refresh(key, beta, first, false);
        const found = await begin();
        const lease = (): Promise<Subscription | undefined> =>
          store.subscriptions.lease(key, beta, 'm1', minute, found);
        await store.subscriptions.refresh(key, beta, requested, false);
        expect(await lease()).toMatchObject({ manifest: 'm1', ...requested });
        await complete();
        expect(await stored()).toMatchObject({ ...requested, last: fetched });
        expect(await lease()).toBeUndefined();
      });

      test('that leases it ends a refresh that it has found', async () => {
        const { store, key } = under;
        await store.subscriptions.put(subscription(key, 'beta'));
        await store.subscriptions.refresh(key, beta, requested, false);
        const found = await begin();
        expect(await store.subscriptions.lease(key, beta, 'm1', minute, found)).toMatchObject(requested);
        await complete();
        expect(await stored()).toMatchObject({ ...next, last: fetched });
      });

      test('removes the manifest of a lease that has run out', async () => {
        const { store, key } = under;
        await store.subscriptions.put(subscription(key, 'beta'));
        await store.subscriptions.lease(key, beta, 'former', 1);
        const found = await until(() => store.subscriptions.findDue(key, beta, second(20)));
        expect(await end(found)).toBe(1);
        expect(await stored()).not.toHaveProperty('manifest');
        expect(await store.subscriptions.renew(key, beta, 'former', minute)).toBe(false);
      });
    });

    describe('refresh and pause', () => {
      test('refreshing makes it due, and active again only if that is requested', async () => {
        const { store, key } = under;
        await store.subscriptions.put(subscription(key, 'beta', { status: 'paused' }));
        expect(await store.subscriptions.refresh(key, beta, next, false)).toEqual(
          subscription(key, 'beta', { ...next, status: 'paused' }),
        );
        expect(await store.subscriptions.refresh(key, beta, next, true)).toEqual(
          subscription(key, 'beta', { ...next, status: 'active' }),
        );
        expect(await store.subscriptions.find(key, beta)).toEqual(
          subscription(key, 'beta', { ...next, status: 'active' }),
        );
      });

      test('pausing keeps everything but the status', async () => {
        const { store, key } = under;
        await store.subscriptions.put(subscription(key, 'beta'));
        expect(await store.subscriptions.pause(key, beta)).toEqual(
          subscription(key, 'beta', { status: 'paused' }),
        );
        expect(await due()).toEqual([]);
      });

      test('one that is gone, or was never there, is neither refreshed nor paused', async () => {
        const { store, key } = under;
        await store.subscriptions.put(subscription(key, 'gone', { status: 'gone' }));
        for (const id of ['gone', 'none']) {
          expect(await store.subscriptions.refresh(key, subscriptionId(id), next, true)).toBeUndefined();
          expect(await store.subscriptions.pause(key, subscriptionId(id))).toBeUndefined();
        }
        expect(await store.subscriptions.find(key, subscriptionId('gone'))).toEqual(
          subscription(key, 'gone', { status: 'gone' }),
        );
      });
    });

    describe('a refresh while a fetch runs', () => {
      const requested: NextFetch = { nextFetchAt: second(60), nextFetchReason: 'It was requested.' };

      test('is not swallowed by the end of that fetch, and only by that', async () => {
        const { store, key } = under;
        await store.subscriptions.put(subscription(key, 'beta', { failures: 1 }));
        await store.subscriptions.lease(key, beta, 'm1', minute);
        await store.subscriptions.refresh(key, beta, requested, false);
        await store.subscriptions.renew(key, beta, 'm1', minute);
        const cursor = { etag: '"2"' };
        expect(await complete({ cursor })).toBe(true);
        const afterFirst = subscription(key, 'beta', {
          ...requested,
          last: fetched,
          succeededAt: fetched.at,
          cursor,
          cursorVersion: 1,
        });
        expect(await store.subscriptions.find(key, beta)).toEqual(afterFirst);
        await store.subscriptions.lease(key, beta, 'm2', minute);
        expect(await complete({ report: failed }, 'm2')).toBe(true);
        expect(await store.subscriptions.find(key, beta)).toEqual({
          ...afterFirst,
          ...next,
          last: failed,
          failures: 1,
        });
      });

      test('that has failed makes it due too', async () => {
        const { store, key } = under;
        await store.subscriptions.put(subscription(key, 'beta'));
        await store.subscriptions.lease(key, beta, 'm1', minute);
        await store.subscriptions.refresh(key, beta, requested, true);
        await complete({ report: failed });
        expect(await store.subscriptions.find(key, beta)).toEqual(
          subscription(key, 'beta', { ...requested, last: failed, failures: 1 }),
        );
      });

      test('counts no more once the subscription has another address', async () => {
        const { store, key } = under;
        await store.subscriptions.put(subscription(key, 'beta'));
        await store.subscriptions.lease(key, beta, 'm1', minute);
        await store.subscriptions.refresh(key, beta, requested, false);
        await store.subscriptions.put(subscription(key, 'beta', { url: 'http://feeds.example/new' }));
        await store.subscriptions.lease(key, beta, 'm2', minute);
        await complete({}, 'm2');
        expect(await store.subscriptions.find(key, beta)).toMatchObject(next);
      });
    });

    describe('a lease that is released', () => {
      test('leaves everything but the schedule', async () => {
        const { store, key } = under;
        const stored = subscription(key, 'beta', {
          failures: 2,
          last: failed,
          cursor: { etag: '"1"' },
          cursorVersion: 3,
        });
        await store.subscriptions.put(stored);
        await store.subscriptions.lease(key, beta, 'm1', minute);
        expect(await release(next)).toBe(1);
        expect(await store.subscriptions.find(key, beta)).toEqual({ ...stored, ...next });
        expect(await release({ ...next, nextFetchAt: second(7) })).toBe(0);
        expect(await store.subscriptions.find(key, beta)).toEqual({ ...stored, ...next });
        expect(await store.subscriptions.lease(key, beta, 'm2', minute)).toBeDefined();
      });

      test('leaves the schedule of a refresh', async () => {
        const { store, key } = under;
        const requested: NextFetch = { nextFetchAt: second(60), nextFetchReason: 'It was requested.' };
        await store.subscriptions.put(subscription(key, 'beta'));
        await store.subscriptions.lease(key, beta, 'm1', minute);
        await store.subscriptions.refresh(key, beta, requested, false);
        expect(await release(next)).toBe(1);
        expect(await store.subscriptions.find(key, beta)).toEqual(subscription(key, 'beta', requested));
      });
    });

    describe('a feed that is found on a page', () => {
      const page = 'http://feeds.example/page';
      const url = 'http://feeds.example/found';
      const looking = (key: CollectionKey): Subscription =>
        subscription(key, 'beta', { url: page, discover: true, adoptedAs: 'feed:page' });

      test('takes the place of the page, once, during a fetch', async () => {
        const { store, key } = under;
        const { subscriptions } = store;
        await store.collections.create(collection(key));
        await subscriptions.put(looking(key));
        await subscriptions.lease(key, beta, 'm1', minute);
        const before = (await store.collections.find(key))?.subscriptionsRevision ?? 0;
        expect(await subscriptions.followPage(looking(key), { url, adoptedAs: 'feed:found' })).toBe(true);
        expect(await subscriptions.followPage(looking(key), { url })).toBe(false);
        const { discover: _discover, ...found } = looking(key);
        const expected = { ...found, url, discoveredOn: page, adoptedAs: 'feed:found' };
        expect(await subscriptions.find(key, beta)).toEqual({ ...expected, manifest: 'm1' });
        expect((await store.collections.find(key))?.subscriptionsRevision).toBeGreaterThan(before);
        expect(await release(next)).toBe(1);
        expect(await subscriptions.find(key, beta)).toEqual({ ...expected, ...next });
        expect(await subscriptions.put(subscription(key, 'gamma', { url }))).toMatchObject({
          created: false,
          subscription: { id: 'beta' },
        });
      });

      test('does not if another subscription reads it', async () => {
        const { store, key } = under;
        await store.subscriptions.put(looking(key));
        await store.subscriptions.put(subscription(key, 'gamma', { url: `${url}#top` }));
        expect(await store.subscriptions.followPage(looking(key), { url })).toBe(false);
        expect(await store.subscriptions.find(key, beta)).toEqual(looking(key));
      });

      test('is looked for until a fetch succeeds, or there is another url', async () => {
        const { subscriptions } = under.store;
        const { key } = under;
        const discovers = async (): Promise<boolean> =>
          (await subscriptions.find(key, beta))?.discover === true;
        const fetch = async (report: FetchReport): Promise<void> => {
          await subscriptions.lease(key, beta, 'm1', minute);
          await complete({ report });
        };
        const plain = subscription(key, 'beta', { url: page });
        await subscriptions.put(plain);
        expect(await discovers()).toBe(false);
        expect((await subscriptions.put({ ...plain, discover: true })).subscription.discover).toBe(true);
        await subscriptions.put(plain);
        await fetch(failed);
        expect(await discovers()).toBe(true);
        await fetch(fetched);
        expect(await discovers()).toBe(false);
        await subscriptions.put({ ...plain, discover: true });
        await subscriptions.followPage(plain, { url });
        await subscriptions.put({ ...plain, url: `${page}/other`, discover: true });
        expect(await discovers()).toBe(true);
        expect(await subscriptions.find(key, beta)).not.toHaveProperty('discoveredOn');
        await subscriptions.put({ ...plain, url: `${page}/third` });
        expect(await discovers()).toBe(false);
      });
    });

    describe('among many', () => {
      const due = second(1000);
      const lateBefore = second(900);
      /** One of each state, and some more. */
      const planted = (key: CollectionKey): Subscription[] => [
        subscription(key, 'fine', { nextFetchAt: due, succeededAt: second(1), last: fetched }),
        subscription(key, 'fetching', { nextFetchAt: second(5), succeededAt: second(1), last: fetched }),
        subscription(key, 'overdue', { nextFetchAt: second(5), succeededAt: second(1), last: fetched }),
        subscription(key, 'unread', { nextFetchAt: second(5) }),
        subscription(key, 'fresh', { nextFetchAt: due }),
        subscription(key, 'slow', {
          nextFetchAt: second(5),
          failures: 1,
          last: timedOut,
          succeededAt: second(1),
        }),
        subscription(key, 'dripping', { nextFetchAt: second(5), isSlow: true }),
        subscription(key, 'given-up', {
          nextFetchAt: second(5),
          failures: 1,
          last: { ...failed, rule: 'slow', cause: 'slow' },
        }),
        subscription(key, 'missing', {
          isSlow: true,
          nextFetchAt: due,
          failures: 3,
          last: { ...failed, cause: 'http-404' },
        }),
        subscription(key, 'gone', { status: 'gone', failures: 1, last: { ...failed, cause: 'http-410' } }),
        subscription(key, 'idle', { status: 'paused', failures: 2, last: timedOut }),
      ];
      const timedOut: FetchReport = { ...failed, rule: 'http-timeout', cause: 'timeout' };
      const statesOf = {
        ok: ['fetching', 'fine'],
        slow: ['dripping', 'given-up'],
        late: ['overdue', 'unread'],
        failing: ['missing', 'slow'],
        gone: ['gone'],
        paused: ['idle'],
        new: ['fresh'],
      } as const;
      const plant = async (): Promise<void> => {
        const { store, key } = under;
        await store.subscriptions.createAll([
          ...planted(key),
          ...planted(collectionKey(`${key}-2`)),
          subscription(collectionKey(`${key}-1`), 'fresh', { nextFetchAt: due }),
        ]);
        for (const collection of [key, collectionKey(`${key}-2`)])
          await store.subscriptions.lease(collection, subscriptionId('fetching'), 'm1', minute);
      };
      const idsOf = (found: readonly Subscription[]): string[] => found.map(({ id }) => id);

      test('those in a state are found, and counted', async () => {
        const { store, key } = under;
        await plant();
        for (const [state, ids] of Object.entries(statesOf)) {
          const filter = { collection: key, state: state as keyof typeof statesOf, lateBefore };
          const found = await store.subscriptions.select(filter, { limit: 100 });
          expect([state, idsOf(found)]).toEqual([state, ids]);
          expect(found.map((one) => subscriptionState(one, lateBefore))).toEqual(ids.map(() => state));
          expect(await store.subscriptions.count(filter)).toBe(ids.length);
        }
        expect(await store.subscriptions.counts({ collection: key, lateBefore })).toEqual({
          states: { ok: 2, slow: 2, late: 2, failing: 2, gone: 1, paused: 1, new: 1 },
          causes: { timeout: 1, 'http-404': 1, slow: 1 },
        });
        const others = [collectionKey(`${key}-2`), collectionKey(`${key}-3`)];
        const states = await store.subscriptions.states([key, ...others], lateBefore);
        expect(states.get(key)).toEqual({ ok: 2, slow: 2, late: 2, failing: 2, gone: 1, paused: 1, new: 1 });
        for (const other of others) {
          const { states: expected } = await store.subscriptions.counts({ collection: other, lateBefore });
          const isEmpty = Object.values(expected).every((count) => count === 0);
          expect(states.get(other)).toEqual(isEmpty ? undefined : expected);
        }
      });

      test('those whose last fetch failed by a cause are found', async () => {
        const { store, key } = under;
        await plant();
        const find = async (filter: Partial<SubscriptionFilter>): Promise<string[]> =>
          idsOf(await store.subscriptions.select({ collection: key, lateBefore, ...filter }, { limit: 100 }));
        expect(await find({ cause: 'timeout' })).toEqual(['idle', 'slow']);
        expect(await find({ cause: 'timeout', state: 'failing' })).toEqual(['slow']);
        expect(await find({ cause: 'timeout', state: 'ok' })).toEqual([]);
      });

      test('those of all collections are listed in one order, page after page', async () => {
        const { store, key } = under;
        await plant();
        const places: string[] = [];
        let after = `${key}-`;
        for (;;) {
          const page = await store.subscriptions.select(
            { state: 'failing', lateBefore },
            { after, limit: 3 },
          );
          const last = page.at(-1);
          if (last === undefined) break;
          after = `${last.collection}/${last.id}`;
          places.push(...page.map(({ collection, id }) => `${collection}/${id}`));
        }
        const own = places.filter((place) => place.startsWith(key));
        expect(own).toEqual(own.toSorted());
        expect(own.toSorted()).toEqual(
          [`${key}/missing`, `${key}/slow`, `${key}-2/missing`, `${key}-2/slow`].toSorted(),
        );
      });

      test('those that fit are paused, once, and the heads of their feeds change', async () => {
        const { store, key } = under;
        await store.collections.create(collection(key));
        await plant();
        const before = (await store.collections.find(key))?.subscriptionsRevision ?? 0;
        const filter = { collection: key, state: 'failing', lateBefore } as const;
        expect(await store.subscriptions.pauseAll(filter)).toBe(2);
        expect(await store.subscriptions.pauseAll(filter)).toBe(0);
        expect((await store.collections.find(key))?.subscriptionsRevision).toBeGreaterThan(before);
        const { states } = await store.subscriptions.counts({ collection: key, lateBefore });
        expect(states).toEqual({ ok: 2, slow: 2, late: 2, failing: 0, gone: 1, paused: 3, new: 1 });
        const other = { collection: collectionKey(`${key}-2`), lateBefore };
        expect((await store.subscriptions.counts(other)).states.paused).toBe(1);
        expect(await store.subscriptions.pauseAll({ collection: key, state: 'gone', lateBefore })).toBe(0);
      });

      test('those that are paused resume, spread over time', async () => {
        const { store, key } = under;
        await plant();
        const all = { collection: key, lateBefore };
        await store.subscriptions.pauseAll(all);
        const soon: NextFetch = { nextFetchAt: second(1500), nextFetchReason: 'It was resumed.' };
        expect(await store.subscriptions.refreshAll(all, soon, 10_000, true)).toBe(10);
        expect(await store.subscriptions.refreshAll(all, soon, 10_000, true)).toBe(0);
        const found = await store.subscriptions.select(all, { limit: 100 });
        expect(found.filter(({ status }) => status === 'active')).toHaveLength(10);
      });

      test('those that fit become due, within a spread and never later than they are', async () => {
        const { store, key } = under;
        await plant();
        const soon: NextFetch = { nextFetchAt: second(100), nextFetchReason: 'It was requested.' };
        const failing = { collection: key, state: 'failing', lateBefore } as const;
        expect(await store.subscriptions.refreshAll(failing, soon, 10_000, false)).toBe(2);
        const [missing, slow] = await store.subscriptions.select(failing, { limit: 100 });
        expect(missing).toMatchObject({ id: 'missing', nextFetchReason: 'It was requested.' });
        expect(missing?.nextFetchAt.getTime()).toBeGreaterThanOrEqual(second(100).getTime());
        expect(missing?.nextFetchAt.getTime()).toBeLessThanOrEqual(second(110).getTime());
        expect(slow?.nextFetchAt).toEqual(second(5));
        const fine = await store.subscriptions.find(key, subscriptionId('fine'));
        expect(fine?.nextFetchAt).toEqual(due);
        expect(
          await store.subscriptions.refreshAll({ ...failing, state: 'paused' }, soon, 10_000, false),
        ).toBe(0);
      });

      test('a fetch in progress keeps the time of such a refresh when it ends', async () => {
        const { store, key } = under;
        await plant();
        const soon: NextFetch = { nextFetchAt: second(1), nextFetchReason: 'It was requested.' };
        await store.subscriptions.refreshAll({ collection: key, lateBefore }, soon, 0, false);
        const fetching = subscriptionId('fetching');
        await store.subscriptions.complete(key, fetching, 'm1', { ...next, report: fetched });
        expect(await store.subscriptions.find(key, fetching)).toMatchObject(soon);
      });

      test('the state follows what fetches come to', async () => {
        const { store, key } = under;
        await store.subscriptions.put(subscription(key, 'beta', { nextFetchAt: due }));
        const report = async (given: FetchReport): Promise<void> => {
          await store.subscriptions.lease(key, beta, 'm1', minute);
          await complete({ nextFetchAt: due, report: given });
        };
        const state = async (): Promise<unknown> => {
          const { states } = await store.subscriptions.counts({ collection: key, lateBefore });
          return Object.entries(states).flatMap(([name, count]) => (count > 0 ? [name] : []));
        };
        expect(await state()).toEqual(['new']);
        await report(timedOut);
        expect(await state()).toEqual(['failing']);
        await report(fetched);
        expect(await state()).toEqual(['ok']);
        await report({ ...timedOut, at: second(60) });
        expect(await state()).toEqual(['failing']);
        expect((await store.subscriptions.find(key, beta))?.succeededAt).toEqual(fetched.at);
        await store.subscriptions.put(
          subscription(key, 'beta', { url: 'http://feeds.example/new', nextFetchAt: due }),
        );
        expect(await state()).toEqual(['new']);
      });
    });

    test('postponing a host moves what is due there, not what is fetched, paused or elsewhere', async () => {
      const { store, key } = under;
      const at = (path: string) => `http://${key}.example/${path}`;
      const given = {
        due: subscription(key, 'due', { url: at('due'), failures: 3 }),
        soon: subscription(key, 'soon', { url: at('soon'), nextFetchAt: second(99) }),
        later: subscription(key, 'later', { url: at('later'), nextFetchAt: second(101) }),
        leased: subscription(key, 'leased', { url: at('leased') }),
        paused: subscription(key, 'paused', { url: at('paused'), status: 'paused' }),
        elsewhere: subscription(key, 'elsewhere', { url: `http://${key}.example:81/` }),
      };
      for (const one of Object.values(given)) await store.subscriptions.put(one);
      await store.subscriptions.lease(key, subscriptionId('leased'), 'm1', minute);
      expect(await store.subscriptions.postponeHost(`${key}.example`, next)).toBe(2);
      const found = Object.fromEntries(
        (await store.subscriptions.list(key, { limit: 10 })).map((one) => [one.id, one]),
      );
      expect(found).toEqual({
        ...given,
        due: { ...given.due, ...next },
        soon: { ...given.soon, ...next },
        leased: { ...given.leased, manifest: 'm1' },
      });
    });

    test('what is postponed with its host comes back at different times', async () => {
      const { store, key } = under;
      const ids = Array.from({ length: 20 }, (_, place) => `s-${String(place).padStart(2, '0')}`);
      await store.subscriptions.createAll(
        ids.map((id) => subscription(key, id, { url: `http://${key}.example/${id}` })),
      );
      expect(await store.subscriptions.postponeHost(`${key}.example`, next, minute)).toBe(20);
      const times = (await store.subscriptions.list(key, { limit: 100 })).map(
        ({ nextFetchAt }) => nextFetchAt.getTime() - next.nextFetchAt.getTime(),
      );
      expect(new Set(times).size).toBeGreaterThan(10);
      expect(Math.min(...times)).toBeGreaterThanOrEqual(0);
      expect(Math.max(...times)).toBeLessThanOrEqual(minute);
    });

    describe('leases', () => {
      test('of many that lease it at once, one gets it', async () => {
        const { store, key } = under;
        await store.subscriptions.put(subscription(key, 'beta'));
        const manifests = ['m1', '$m2', 'm3', 'm4'];
        const leases = await Promise.all(
          manifests.map((manifest) => store.subscriptions.lease(key, beta, manifest, minute)),
        );
        const winner = manifests[leases.findIndex((lease) => lease !== undefined)] ?? '';
        expect(leases.filter((lease) => lease !== undefined)).toEqual([
          subscription(key, 'beta', { manifest: winner }),
        ]);
        expect((await store.subscriptions.find(key, beta))?.manifest).toBe(winner);
      });

      test.each(['paused', 'gone'] as const)('one that is %s cannot be leased', async (status) => {
        const { store, key } = under;
        await store.subscriptions.put(subscription(key, 'beta', { status }));
        expect(await store.subscriptions.lease(key, beta, 'm1', minute)).toBeUndefined();
        expect(await store.subscriptions.lease(key, subscriptionId('none'), 'm1', minute)).toBeUndefined();
      });

      test('one whose lease has run out can be leased by another, and the former loses it', async () => {
        const { store, key } = under;
        await store.subscriptions.put(subscription(key, 'beta'));
        await store.subscriptions.lease(key, beta, 'm1', 1);
        await until(() => store.subscriptions.lease(key, beta, 'm2', minute));
        expect(await store.subscriptions.renew(key, beta, 'm1', minute)).toBe(false);
        const before = await store.subscriptions.find(key, beta);
        expect(await complete({ cursor: { etag: '"2"' } })).toBe(false);
        expect(await store.subscriptions.find(key, beta)).toEqual(before);
        expect(before?.manifest).toBe('m2');
      });

      test('a renewed lease holds for its new duration', async () => {
        const { store, key } = under;
        await store.subscriptions.put(subscription(key, 'beta'));
        await store.subscriptions.lease(key, beta, 'm1', 1);
        expect(await store.subscriptions.renew(key, beta, 'm1', minute)).toBe(true);
        expect(await store.subscriptions.lease(key, beta, 'm2', minute)).toBeUndefined();
      });

      test('a lease that lasts longer is not made shorter', async () => {
        const { store, key } = under;
        await store.subscriptions.put(subscription(key, 'beta'));
        await store.subscriptions.put(subscription(key, 'other'));
        await store.subscriptions.lease(key, beta, 'm1', minute);
        expect(await store.subscriptions.renew(key, beta, 'm1', 1)).toBe(true);
        // A lease as short as that has run out by now.
        await store.subscriptions.lease(key, subscriptionId('other'), 'm1', 1);
        await until(() => store.subscriptions.lease(key, subscriptionId('other'), 'm2', minute));
        expect(await store.subscriptions.lease(key, beta, 'm2', minute)).toBeUndefined();
      });
    });

    describe('how far a walk through a tree is', () => {
      test('is recorded when a lease is renewed with it, and stays when it is renewed without', async () => {
        const { store, key } = under;
        await store.subscriptions.put(subscription(key, 'beta'));
        await store.subscriptions.lease(key, beta, 'm1', minute);
        expect(await store.subscriptions.renew(key, beta, 'm1', minute, treeProgress(3))).toBe(true);
        expect(await store.subscriptions.renew(key, beta, 'm1', minute)).toBe(true);
        expect(await store.subscriptions.find(key, beta)).toEqual(
          subscription(key, 'beta', { manifest: 'm1', progress: treeProgress(3) }),
        );
        expect(await store.subscriptions.renew(key, beta, 'm2', minute, treeProgress(4))).toBe(false);
        expect((await store.subscriptions.find(key, beta))?.progress).toEqual(treeProgress(3));
      });

      test('is what the report says once it has ended, and stays if a report says nothing', async () => {
        const { store, key } = under;
        await store.subscriptions.put(subscription(key, 'beta'));
        const report = { ...fetched, progress: treeProgress(5) };
        await store.subscriptions.lease(key, beta, 'm1', minute);
        await store.subscriptions.renew(key, beta, 'm1', minute, treeProgress(3));
        await complete({ report });
        expect(await store.subscriptions.find(key, beta)).toEqual(
          subscription(key, 'beta', {
            ...next,
            last: report,
            succeededAt: report.at,
            progress: treeProgress(5),
          }),
        );
        await store.subscriptions.lease(key, beta, 'm2', minute);
        await complete({ report: failed }, 'm2');
        expect((await store.subscriptions.find(key, beta))?.progress).toEqual(treeProgress(5));
      });

      test('is dropped with the url of the tree, whose documents stay', async () => {
        const { store, key } = under;
        await store.subscriptions.put(subscription(key, 'beta', { progress: treeProgress(3) }));
        await store.documents.describe(key, [foundDocument('a')]);
        await store.subscriptions.put(subscription(key, 'beta', { url: 'http://feeds.example/new' }));
        expect(await store.subscriptions.find(key, beta)).not.toHaveProperty('progress');
        expect((await store.documents.load(key, [foundDocument('a').url])).size).toBe(1);
      });
    });

    describe('complete', () => {
      test('a fetch that moved the cursor ends the lease, with its report and schedule', async () => {
        const { store, key } = under;
        await store.subscriptions.put(subscription(key, 'beta', { failures: 4 }));
        await store.subscriptions.lease(key, beta, 'm1', minute);
        const cursor = { etag: '"2"', until: '0000000000000007' };
        expect(await complete({ cursor })).toBe(true);
        expect(await store.subscriptions.find(key, beta)).toEqual(
          subscription(key, 'beta', {
            ...next,
            last: fetched,
            succeededAt: fetched.at,
            cursor,
            cursorVersion: 1,
          }),
        );
        expect(await complete({ cursor })).toBe(false);
        expect(await store.subscriptions.lease(key, beta, 'm2', minute)).toBeDefined();
      });

      test('what the feed says is kept until a fetch says otherwise', async () => {
        const { store, key } = under;
        await store.subscriptions.put(subscription(key, 'beta'));
        for (const feed of [feedSummary(), undefined]) {
          await store.subscriptions.lease(key, beta, 'm1', minute);
          await complete({ ...(feed && { feed }) });
          expect((await store.subscriptions.find(key, beta))?.feed).toEqual(feedSummary());
        }
        await store.subscriptions.lease(key, beta, 'm1', minute);
        const changed = { markup: [], aggregated: [] };
        await complete({ feed: changed });
        expect((await store.subscriptions.find(key, beta))?.feed).toEqual(changed);
      });

      test('failures are counted until a fetch succeeds, and leave the cursor where it was', async () => {
        const { store, key } = under;
        const stored = subscription(key, 'beta', { cursor: { etag: '"1"' }, cursorVersion: 1 });
        await store.subscriptions.put(stored);
        for (const failures of [1, 2]) {
          await store.subscriptions.lease(key, beta, `m${failures}`, minute);
          await store.subscriptions.complete(key, beta, `m${failures}`, {
            ...next,
            report: failed,
          });
          expect(await store.subscriptions.find(key, beta)).toEqual({
            ...stored,
            ...next,
            last: failed,
            failures,
          });
        }
        const report = { at: second(60), outcome: 'not-modified' } as const;
        await store.subscriptions.lease(key, beta, 'm3', minute);
        await complete({ report }, 'm3');
        expect(await store.subscriptions.find(key, beta)).toEqual({
          ...stored,
          ...next,
          last: report,
          succeededAt: report.at,
          failures: 0,
        });
      });

      test('it keeps when the feed changes, until it is given anew', async () => {
        const { store, key } = under;
        const rhythm = { since: second(0), at: second(1), changes: 2.5, recent: 0.5, week: 'AAB' };
        const stated = { timeToLive: 60 };
        await store.subscriptions.put(subscription(key, 'beta'));
        const results = [{ rhythm, stated }, {}, { rhythm: { ...rhythm, changes: 3 }, stated: {} }];
        for (const [number, result] of results.entries()) {
          await store.subscriptions.lease(key, beta, `m${number}`, minute);
          await store.subscriptions.complete(key, beta, `m${number}`, {
            ...next,
            report: fetched,
            ...result,
          });
          const found = await store.subscriptions.find(key, beta);
          expect(found).toMatchObject(number < 2 ? { rhythm, stated } : (results[2] ?? {}));
        }
        expect((await store.subscriptions.find(key, beta))?.stated).toEqual({});
      });

      test('it can move the url and end the subscription', async () => {
        const { store, key } = under;
        await store.subscriptions.put(subscription(key, 'beta'));
        await store.subscriptions.lease(key, beta, 'm1', minute);
        const report = { at: second(60), outcome: 'gone' } as const;
        await complete({ report, status: 'gone', url: 'http://feeds.example/moved' });
        expect(await store.subscriptions.find(key, beta)).toMatchObject({
          status: 'gone',
          url: 'http://feeds.example/moved',
          failures: 1,
          cursorVersion: 0,
        });
      });

      test('one that was paused meanwhile stays paused', async () => {
        const { store, key } = under;
        await store.subscriptions.put(subscription(key, 'beta'));
        await store.subscriptions.lease(key, beta, 'm1', minute);
        await store.subscriptions.pause(key, beta);
        expect(await complete()).toBe(true);
        expect((await store.subscriptions.find(key, beta))?.status).toBe('paused');
      });
    });

    describe('completing several fetches at once', () => {
      const unchanged: FetchReport = { at: second(60), outcome: 'not-modified' };
      const end = (key: CollectionKey, id: string, manifest: string): Completion => ({
        collection: key,
        id: subscriptionId(id),
        manifest,
        result: { ...next, report: unchanged },
      });

      test('does for each what complete does: of lost leases nothing, a refresh keeps its time', async () => {
        const { store, key } = under;
        const requested: NextFetch = { nextFetchAt: second(60), nextFetchReason: 'It was requested.' };
        const given = { cursor: { etag: '"1"' }, cursorVersion: 1, failures: 2 };
        for (const id of ['a', 'b', 'lost', 'refreshed', 'removed']) {
          await store.subscriptions.put(subscription(key, id, given));
          await store.subscriptions.lease(key, subscriptionId(id), 'm1', id === 'lost' ? 1 : minute);
        }
        await until(() => store.subscriptions.lease(key, subscriptionId('lost'), 'm2', minute));
        await store.subscriptions.refresh(key, subscriptionId('refreshed'), requested, false);
        await store.subscriptions.remove(key, subscriptionId('removed'));
        const ends = ['a', 'b', 'lost', 'refreshed', 'removed'].map((id) => end(key, id, 'm1'));
        expect(await store.subscriptions.completeAll(ends)).toBe(3);
        const completed = { ...given, failures: 0, last: unchanged, succeededAt: unchanged.at };
        expect(await store.subscriptions.list(key, { limit: 10 })).toEqual([
          subscription(key, 'a', { ...completed, ...next }),
          subscription(key, 'b', { ...completed, ...next }),
          subscription(key, 'lost', { ...given, manifest: 'm2' }),
          subscription(key, 'refreshed', { ...completed, ...requested }),
        ]);
        expect(await store.subscriptions.lease(key, subscriptionId('a'), 'm3', minute)).toBeDefined();
        expect(await store.subscriptions.completeAll(ends)).toBe(0);
      });

      test('is nothing if there are none', async () => {
        expect(await under.store.subscriptions.completeAll([])).toBe(0);
      });
    });
  });
}
