import { afterEach, expect, test } from '@jest/globals';
import type { FetchesView } from '#contracts';
import { run } from '../../apps/cli/src/run.ts';
import { answerJson, closeServers, localServer } from './local-server.ts';
import { memoryIo } from './memory-io.ts';

afterEach(closeServers);

const fetches: FetchesView = {
  items: [
    {
      startedAt: '2026-01-01T10:05:00.000Z',
      durationMs: 1500,
      outcome: 'failed',
      status: 500,
      bytes: 0,
      cause: 'http-500',
      reason: 'http://peer.example/a answered 500',
    },
    {
      startedAt: '2026-01-01T10:00:00.000Z',
      durationMs: 120,
      outcome: 'fetched',
      status: 200,
      bytes: 18_250,
      items: 12,
      rejected: 1,
    },
  ],
};

async function subscriptions(...options: readonly string[]): Promise<string> {
  const { url } = await localServer((request, response) => {
    expect(request.url).toBe('/v1/collections/copy/subscriptions/todo/fetches');
    answerJson(response, fetches);
  });
  const io = memoryIo();
  expect(await run(['subscriptions', 'copy', 'todo', ...options, '--url', url], io)).toBe(0);
  return io.out();
}

test('subscriptions lists the last fetches of one that is named', async () => {
  expect(await subscriptions()).toBe(
    '2026-01-01T10:05:00.000Z\t1,500 ms\t500\t0 B\tfailed\thttp-500\thttp://peer.example/a answered 500\n' +
      '2026-01-01T10:00:00.000Z\t120 ms\t200\t18.3 kB\tfetched: 12 items, 1 rejected\t\t\n',
  );
  expect(JSON.parse(await subscriptions('-o', 'json'))).toEqual(fetches.items);
});
