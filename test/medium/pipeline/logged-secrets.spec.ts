import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { collectionKey, subscriptionId } from '#core';
import { ServiceProcess } from '../../support/service-process.ts';
import { entry, feed } from './feed.ts';
import { PipelineUnderTest } from './pipeline-under-test.ts';
import { TestHub } from './test-hub.ts';
import { until } from '../../support/until.ts';

const key = Buffer.alloc(32, 'k').toString('base64');
const password = 'Zaubertrank7';
const basic = Buffer.from(`ann:${password}`).toString('base64');
const topic = 'https://feeds.example/announced';

let pipeline: PipelineUnderTest;
let hub: TestHub;
let gateway: ServiceProcess;
let fetcher: ServiceProcess;
beforeAll(async () => {
  hub = await TestHub.open();
  pipeline = await PipelineUnderTest.open({
    CREDENTIALS_KEYS: `own:${key}`,
    WEBSUB: 'on',
    AUDIT: 'on',
    WEBSUB_SCHEDULE_MS: '50',
    WEBSUB_RETRY_SECONDS: '0.5',
    FETCH_HOST_LONGEST_PAUSE_SECONDS: '0.01',
  });
  await pipeline.start('merger', 'publisher');
  const { PUBLIC_URL: _url, HEALTH_PORT: _port, ...environment } = pipeline.environment;
  gateway = await ServiceProcess.start('gateway', { ...environment, LOG_LEVEL: 'trace' });
  fetcher = await ServiceProcess.start('fetcher', {
    ...environment,
    LOG_LEVEL: 'trace',
    PUBLIC_URL: gateway.url,
  });
});
afterAll(async () => {
  for (const service of [gateway, fetcher]) {
    service.signal('SIGTERM');
    await service.ended;
  }
  await pipeline.close();
  await hub.close();
});

/** Subscribes a new collection, and waits for the end of its first fetch. */
async function subscribe(name: string, body: object): Promise<void> {
  await pipeline.collect(name);
  await put(name, body);
  await until(
    () => pipeline.store.subscriptions.find(collectionKey(name), subscriptionId('peer')),
    (subscription) => subscription?.last !== undefined && subscription.manifest === undefined,
  );
}

async function put(name: string, body: object): Promise<void> {
  await fetch(`${gateway.url}/v1/collections/${name}/subscriptions/peer`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

test('logs and the audit log hold no credentials, tokens or secrets, at their most talkative', async () => {
  const { feeds } = pipeline;
  const document = feed([entry('a', ['1 there'])]);
  feeds.serve('/right', document);
  feeds.serve('/refused', { status: 401 });
  feeds.serve('/broken', { status: 302, headers: { location: 'http://127.0.0.1:1/' } });
  for (const path of ['right', 'refused', 'broken']) {
    const url = feeds.url(`/${path}`);
    await subscribe(`${path}-basic`, { url, credentials: { kind: 'basic', username: 'ann', password } });
    await subscribe(`${path}-bearer`, { url, credentials: { kind: 'bearer', token: password } });
    await subscribe(`${path}-headers`, {
      url,
      credentials: { kind: 'headers', headers: { 'X-Key': password } },
    });
    await subscribe(`${path}-url`, { url: url.replace('//', `//ann:${password}@`) });
  }
  await put('right-basic', { url: feeds.url('/right'), credentials: { kind: 'wrong', password } });

  const links = `</title><link rel="hub" href="${hub.url()}"/><link rel="self" href="${topic}"/>`;
  feeds.serve('/announced', document.replace('</title>', links));
  await subscribe('announced', { url: feeds.url('/announced') });
  await until(() => hub.hasVerified(topic, 'subscribe'));
  const { callback = '', secret } = hub.asked(topic)[0] ?? {};
  const token = callback.slice(-64);
  expect(await hub.distribute(topic, '<feed/>')).toBe(202);
  expect(await hub.distribute(topic, '<feed/>', 'another secret')).toBe(202);
  for (const method of ['GET', 'POST', 'PUT', 'DELETE'])
    for (const path of ['', '/', '/more', `?hub.mode=subscribe&hub.topic=${topic}&hub.challenge=${token}`])
      await (await fetch(`${callback}${path}`, { method })).text();
  // A hub that sends its subscriber's token elsewhere.
  hub.behave({ status: 307, location: `/${token}?${secret}` });
  await fetch(`${gateway.url}/v1/collections/announced/subscriptions/peer`, { method: 'DELETE' });
  await until(
    () => hub.requests,
    (requests) => requests.some(({ path }) => path.includes(token)),
  );

  await until(() => gateway.output.includes('callback-not-found') && fetcher.output.includes('unauthorized'));
  const audited = JSON.stringify(await pipeline.store.audit.list({ limit: 10_000 }));
  expect(audited).toContain('putSubscription');
  for (const output of [gateway.output, fetcher.output, audited])
    for (const text of [password, basic, key, token, secret ?? '']) {
      expect(text.length).toBeGreaterThan(8);
      expect(output).not.toContain(text);
    }
});
