import { expect, test } from '@jest/globals';
import type { BudgetAnswer, HostBudget } from '#core';
import { SharedHosts } from './shared-hosts.ts';

const url = 'http://a.example/feed';

/** Hosts whose budget answers as given; what is waited and paused is recorded. */
function underTest(answers: readonly BudgetAnswer[], by: 'host' | 'feed' = 'host', budget?: HostBudget) {
  const left = [...answers];
  const record: string[] = [];
  const shared = new SharedHosts(
    { by, rate: 1, burst: 1, connections: 1, longestPause: 900_000 },
    {
      budget: budget ?? {
        take: async () => left.shift() ?? { kind: 'busy' },
        slow: async (group, _, pause) => void record.push(`slow ${group} ${pause}`),
      },
      hosts: {
        pauseUntil: (host, until) => void record.push(`pause ${host} ${until.getTime()}`),
        closeUntil: (host, until) => void record.push(`close ${host} ${until.getTime()}`),
      },
      clock: { now: () => new Date(1000), wait: async (time) => void record.push(`wait ${time}`) },
    },
  );
  return { shared, record };
}

test('a request waits for its time, and looks again while too many are in flight', async () => {
  const release = (): void => {};
  const { shared, record } = underTest([{ kind: 'busy' }, { kind: 'granted', wait: 70, release }]);
  expect(await shared.admit(url)).toBe(release);
  expect(record).toEqual(['wait 50', 'wait 70']);
});

test('a request that would wait for long is put back, and says by which setting', async () => {
  const slow = underTest([{ kind: 'used-up', wait: 60_000 }]);
  await expect(slow.shared.admit(url)).rejects.toMatchObject({
    rule: 'host-busy',
    host: 'a.example',
    retryAfter: 60,
    message: 'a.example: as much is requested as may be (FETCH_HOST_RATE)',
  });
  expect(slow.record).toEqual(['close a.example 59000']);
  const { shared, record } = underTest([]);
  await expect(shared.admit(url)).rejects.toMatchObject({
    rule: 'host-busy',
    message: 'a.example: as much is requested as may be (FETCH_HOST_CONNECTIONS)',
  });
  expect(record).toHaveLength(40);
});

test('no request is sent while Redis does not answer, and it is put back', async () => {
  const away = async (): Promise<never> => Promise.reject(new Error('away'));
  const { shared, record } = underTest([], 'host', { take: away, slow: away });
  await expect(shared.admit(url)).rejects.toMatchObject({ rule: 'host-busy', host: 'a.example' });
  await shared.slowed(url, 5);
  expect(record).toEqual(['pause a.example 6000']);
});

test('what one fetcher learns from a 429 holds for the others', async () => {
  const slowed = underTest([]);
  await slowed.shared.slowed(url, 5);
  await slowed.shared.slowed(url);
  await slowed.shared.slowed(url, 1_000_000);
  expect(slowed.record).toEqual([
    'pause a.example 6000',
    'slow a.example 5000',
    'slow a.example 0',
    'pause a.example 901000',
    'slow a.example 900000',
  ]);
  const other = underTest([{ kind: 'paused', wait: 5000 }]);
  await expect(other.shared.admit(url)).rejects.toMatchObject({ rule: 'host-busy', retryAfter: 5 });
  expect(other.record).toEqual(['pause a.example 6000']);
});

test('where limits are for feeds, one that is left alone says nothing of its host', async () => {
  const { shared, record } = underTest([{ kind: 'paused', wait: 5000 }], 'feed');
  await expect(shared.admit(url)).rejects.toMatchObject({ rule: 'host-busy', retryAfter: 5 });
  expect(record).toEqual([]);
});
