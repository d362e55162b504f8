import { expect, test } from '@jest/globals';
import { ConcurrencyLimit } from './concurrency-limit.ts';

test(
  'work at the limit is refused with the time to wait, and runs again once other work has ended, well ' +
    'or not',
  async () => {
    const limit = new ConcurrencyLimit({
      maximum: 2,
      what: 'feeds',
      setting: 'GATEWAY_FEEDS',
      retryAfter: 30,
    });
    const ends: ((error?: Error) => void)[] = [];
    const work = async (): Promise<string> =>
      limit.run(
        () =>
          new Promise((resolve, reject) => ends.push((error) => (error ? reject(error) : resolve('done')))),
      );
    const [first, second] = [work(), work()];
    const refusal = {
      status: 503,
      rule: 'too-many-readers',
      message: expect.stringContaining('allows 2 feeds (setting GATEWAY_FEEDS)'),
      headers: { 'Retry-After': '30' },
    };
    await expect(work()).rejects.toMatchObject(refusal);
    ends[0]?.(new Error('failed'));
    await expect(first).rejects.toThrow('failed');
    const third = work();
    await expect(work()).rejects.toMatchObject(refusal);
    ends[1]?.();
    ends[2]?.();
    expect(await Promise.all([second, third])).toEqual(['done', 'done']);
  },
);

test('work of a tenant is refused at the limit of one, and that of others runs beside it', async () => {
  const limit = new ConcurrencyLimit({
    maximum: 3,
    what: 'feeds',
    setting: 'GATEWAY_FEEDS',
    retryAfter: 30,
    ofTenant: { maximum: 1, setting: 'GATEWAY_TENANT_FEEDS', name: 'feeds' },
  });
  const ends: (() => void)[] = [];
  const work = (tenant?: string): Promise<void> =>
    limit.run(() => new Promise((resolve) => ends.push(resolve)), tenant);
  const [first, ofOther, ofNone] = [work('acme'), work('other'), work()];
  await expect(work('acme')).rejects.toMatchObject({ status: 503 });
  ends[1]?.();
  await ofOther;
  await expect(work('acme')).rejects.toMatchObject({
    status: 429,
    rule: 'tenant-throttled',
    message: expect.stringContaining('allows the tenant "acme" 1 feeds (setting GATEWAY_TENANT_FEEDS)'),
    headers: { 'Retry-After': '30' },
  });
  for (const end of ends) end();
  await Promise.all([first, ofNone]);
  const later = work('acme');
  ends.at(-1)?.();
  await later;
  expect(ends).toHaveLength(4);
});
