import { expect, test } from '@jest/globals';
import type { FetchRequest } from '#core';
import { withSlot } from './with-slot.ts';

test('the slot goes to the first request to its host, and to no other', async () => {
  const requests: FetchRequest[] = [];
  const slot = (): void => {};
  const inner = {
    get: async (request: FetchRequest) => {
      requests.push(request);
      return { status: 'not-modified' as const, url: request.url, freshness: {} };
    },
  };
  const http = withSlot(inner, 'a.example', slot);
  for (const url of ['http://b.example/', 'https://a.example/1', 'https://a.example/2'])
    await http.get({ url, etag: '"1"' });
  expect(requests).toEqual([
    { url: 'http://b.example/', etag: '"1"' },
    { url: 'https://a.example/1', etag: '"1"', slot },
    { url: 'https://a.example/2', etag: '"1"' },
  ]);
});
