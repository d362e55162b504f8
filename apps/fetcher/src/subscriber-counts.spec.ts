import { expect, test } from '@jest/globals';
import type { FetchRequest, HttpFetch } from '#core';
import { SubscriberCounts, withSubscribers } from './subscriber-counts.ts';

const url = 'https://feeds.example/a';

test('the number of a URL is looked up once an hour, and again after a failure', async () => {
  let time = 0;
  const answers: (number | Error)[] = [3, new Error('away'), 4];
  const counts = new SubscriberCounts({
    clock: { now: () => new Date(time) },
    store: {
      subscriptions: {
        async countReaders() {
          const answer = answers.shift();
          if (typeof answer === 'number') return answer;
          throw answer ?? new Error('asked too often');
        },
      },
    },
  });
  expect([await counts.of(url), await counts.of(url)]).toEqual([3, 3]);
  time += 3_600_000;
  expect([await counts.of(url), await counts.of(url), await counts.of(url)]).toEqual([undefined, 4, 4]);
});

test('it is said in requests for the URL of the subscription but the first, and in no others', async () => {
  const requests: FetchRequest[] = [];
  const http: HttpFetch = {
    async get(request) {
      requests.push(request);
      return { status: 'not-modified', url: request.url, freshness: {} };
    },
  };
  const counts = new SubscriberCounts({
    clock: { now: () => new Date(0) },
    store: { subscriptions: { countReaders: async () => 7 } },
  });
  const last = { at: new Date(0), outcome: 'fetched' } as const;
  const named = withSubscribers(http, { url, last }, counts);
  await named.get({ url, etag: '"1"' });
  await named.get({ url: `${url}/complete` });
  await withSubscribers(http, { url }, counts).get({ url });
  await withSubscribers(http, { url, last, userAgent: 'Other/1' }, counts).get({ url });
  expect(requests).toEqual([
    { url, etag: '"1"', subscribers: 7 },
    { url: `${url}/complete` },
    { url },
    { url },
  ]);
});
