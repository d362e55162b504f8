import { expect, test } from '@jest/globals';
import type { Job, PreviewReply } from '#contracts';
import type { Replies } from '#core';
import { PreviewRequests } from './preview-requests.ts';

const request = { url: 'https://paper.example/rss', limit: 50 };

/** Requests whose replies are these; the jobs that were sent. */
function requests(wait: Replies['wait'] | PreviewReply | undefined) {
  const sent: Job[] = [];
  let count = 0;
  const previews = new PreviewRequests({
    queue: { send: async (jobs) => void sent.push(...jobs) },
    replies: { wait: typeof wait === 'function' ? wait : async () => wait },
    clock: { now: () => new Date('2026-01-01T00:00:00Z') },
    random: { identifier: () => String((count += 1)) },
  });
  return { previews, sent };
}

const unavailable = { status: 503, rule: 'preview-unavailable', headers: { 'Retry-After': '5' } };

test('a fetcher is asked until it is too late, for the tenant', async () => {
  const { previews, sent } = requests(undefined);
  await expect(previews.preview(request, 'acme')).rejects.toMatchObject({
    ...unavailable,
    message: 'No fetcher replied within 25 seconds. Try again in 5 seconds.',
  });
  const data = { version: 1, reply: '1', until: '2026-01-01T00:00:25.000Z', tenant: 'acme', ...request };
  expect(sent).toEqual([{ queue: 'preview', data }]);
});

test('a failure that passes can be tried again, another one is the feed\u2019s', async () => {
  const failure = { rule: 'host-busy', cause: 'connection', reason: 'The host is busy' };
  await expect(
    requests({ failure: { ...failure, isTemporary: true } }).previews.preview(request, undefined),
  ).rejects.toMatchObject({ ...unavailable, message: 'The host is busy. Try again in 5 seconds.' });
  await expect(requests({ failure }).previews.preview(request, undefined)).rejects.toMatchObject({
    status: 422,
    rule: 'preview-failed',
    members: { cause: 'connection', fetchRule: 'host-busy' },
  });
});

test('a gateway waits for 16 previews at once, and for 4 of a tenant', async () => {
  const ends: (() => void)[] = [];
  const { previews, sent } = requests(
    () => new Promise((resolve) => ends.push(() => resolve({ preview: { items: [] } }))),
  );
  const waiting = Array.from({ length: 4 }, () => previews.preview(request, 'acme'));
  await expect(previews.preview(request, 'acme')).rejects.toMatchObject(unavailable);
  waiting.push(...Array.from({ length: 12 }, () => previews.preview(request, undefined)));
  await expect(previews.preview(request, 'other')).rejects.toMatchObject(unavailable);
  expect(sent).toHaveLength(16);
  await new Promise((resolve) => setImmediate(resolve));
  for (const end of ends) end();
  await Promise.all(waiting);
  const next = previews.preview(request, 'acme');
  await new Promise((resolve) => setImmediate(resolve));
  ends.at(-1)?.();
  expect(await next).toEqual({ items: [] });
});
