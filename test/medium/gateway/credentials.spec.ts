import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Queue } from 'bullmq';
import { collectionKey, openCredentials, parseCredentialKeys, subscriptionId } from '#core';
import type { CredentialKeys, Subscription } from '#core';
import { run } from '../../../apps/cli/src/run.ts';
import { memoryIo } from '../../cli/memory-io.ts';
import { problemIn, startGateway } from './gateway-under-test.ts';
import { until } from '../../support/until.ts';
import { useGateway } from './use-gateway.ts';

const readers = collectionKey('readers');
const subscriptions = '/v1/collections/readers/subscriptions';
const [first, second] = ['a', 'b'].map((letter) => Buffer.alloc(32, letter).toString('base64'));
const own = `one:${first}`;
const secret = 'Zaubertrank7';
const url = 'https://feeds.example/a';
const basic = { kind: 'basic', username: 'ann', password: secret } as const;
const bearer = { kind: 'bearer', token: secret } as const;

const gateway = useGateway({ CREDENTIALS_KEYS: own });
let commands: Queue;
beforeAll(async () => {
  commands = new Queue('commands', { connection: { url: gateway.redisUrl }, prefix: '{feedmesh}' });
  await gateway.send('PUT', '/v1/collections/readers');
});
afterAll(() => commands.close());

async function stored(id: string): Promise<Subscription> {
  const found = await gateway.store.subscriptions.find(readers, subscriptionId(id));
  if (found === undefined) throw new Error(`there is no subscription ${id}`);
  return found;
}

/** The credentials of a subscription as they were given. */
async function given(id: string, keys: CredentialKeys = parseCredentialKeys(own)): Promise<unknown> {
  const { collection, credentials } = await stored(id);
  return credentials && openCredentials(keys, collection, credentials);
}

async function put(id: string, body: object): Promise<Record<string, unknown>> {
  const response = await gateway.send('PUT', `${subscriptions}/${id}`, body);
  const text = await response.text();
  expect([200, 201]).toContain(response.status);
  expect(text).not.toContain(secret);
  return JSON.parse(text) as Record<string, unknown>;
}

async function patch(id: string, change: object): Promise<Record<string, unknown>> {
  const type = { 'content-type': 'application/merge-patch+json' };
  const response = await gateway.send('PATCH', `${subscriptions}/${id}`, JSON.stringify(change), type);
  expect(response.status).toBe(200);
  return (await response.json()) as Record<string, unknown>;
}

describe('the credentials of a subscription', () => {
  test('are shown by their kind alone, and stay until others are given or they are removed', async () => {
    expect(await put('stays', { url, credentials: basic })).toMatchObject({ credentials: { kind: 'basic' } });
    expect(await given('stays')).toEqual(basic);
    expect(await put('stays', { url })).toMatchObject({ credentials: { kind: 'basic' } });
    expect(await patch('stays', { interval: { minimum: 300 } })).toHaveProperty('credentials');
    expect(await patch('stays', { credentials: bearer })).toMatchObject({
      credentials: { kind: 'bearer' },
      nextFetchReason: 'it got other credentials',
    });
    expect(await given('stays')).toEqual(bearer);
    expect(await patch('stays', { credentials: null })).not.toHaveProperty('credentials');
    expect(await stored('stays')).not.toHaveProperty('credentials');
  });

  test('stay with another path, and are gone with another origin', async () => {
    await put('moves', { url: 'https://feeds.example/m', credentials: basic });
    expect(await patch('moves', { url: 'https://feeds.example/n' })).toHaveProperty('credentials');
    for (const other of [
      'http://feeds.example/n',
      'https://feeds.example:8443/n',
      'https://other.example/n',
    ]) {
      await put('moves', { url: 'https://feeds.example/m', credentials: basic });
      expect(await patch('moves', { url: other })).not.toHaveProperty('credentials');
      expect(await stored('moves')).not.toHaveProperty('credentials');
    }
  });

  test('in a URL are separated from it, in a list of feeds as well', async () => {
    const shown = await put('in-url', { url: `https://ann:${secret}@feeds.example/u` });
    expect(shown).toMatchObject({ url: 'https://feeds.example/u', credentials: { kind: 'basic' } });
    expect(await given('in-url')).toEqual(basic);
    const list = `<opml version="2.0"><head/><body>
      <outline text="x" xmlUrl="https://ann:${secret}@list.example/x"/>
    </body></opml>`;
    const type = { 'content-type': 'text/x-opml' };
    const response = await gateway.send('POST', subscriptions, list, type);
    expect(await response.json()).toMatchObject({ created: 1, refused: [] });
    const found = await gateway.store.subscriptions.matching(
      readers,
      subscriptionId('none'),
      'https://list.example/x',
    );
    expect(found.map(({ credentials }) => credentials?.origin)).toEqual(['https://list.example']);
  });

  test.each([
    [{ url, credentials: { kind: 'headers', headers: { Host: secret } } }, /header field Host can't be set/],
    [{ url, credentials: { ...basic, username: `${secret}:` } }, /body.credentials.username: /],
    [
      { url: 'https://bob:x@feeds.example/', credentials: basic },
      /the URL has credentials too; give them once/,
    ],
  ])('that are wrong are refused, and not repeated: %j', async (body, detail) => {
    const problem = await problemIn(await gateway.send('PUT', `${subscriptions}/wrong`, body));
    expect(problem).toMatchObject({ status: 400, rule: 'invalid-input' });
    expect(problem.detail).toMatch(detail);
    expect(JSON.stringify(problem)).not.toContain(secret);
  });

  test('are refused without a key, and the error names the setting', async () => {
    const without = await startGateway();
    try {
      await without.send('PUT', '/v1/collections/readers');
      for (const body of [{ url, credentials: basic }, { url: `https://ann:${secret}@feeds.example/` }]) {
        const problem = await problemIn(await without.send('POST', subscriptions, body));
        expect(problem.status).toBe(400);
        expect(problem.detail).toBe(
          'body.credentials: credentials are kept encrypted, and there is no key for that: ' +
            'set CREDENTIALS_KEYS',
        );
      }
      expect((await without.send('POST', subscriptions, { url })).status).toBe(201);
    } finally {
      await without.close();
    }
  });
});

describe('what the requests of a subscription send', () => {
  const named = { userAgent: 'Reader/1', acceptLanguage: 'de, en;q=0.5' };

  test('is shown, and stays until it is replaced or removed', async () => {
    const reason = { nextFetchReason: 'it got another User-Agent or Accept-Language' };
    const at = 'https://feeds.example/sent';
    expect(await put('sends', { url: at, ...named })).toMatchObject(named);
    expect(await put('sends', { url: at })).toMatchObject(named);
    const kept = await put('sends', { url: 'https://other.example/sent' });
    expect(kept).toMatchObject(named);
    expect(await patch('sends', { userAgent: 'Reader/2' })).toMatchObject({
      ...named,
      ...reason,
      userAgent: 'Reader/2',
    });
    const removed = await patch('sends', { userAgent: null });
    expect(removed).toMatchObject({ acceptLanguage: named.acceptLanguage, ...reason });
    expect(removed).not.toHaveProperty('userAgent');
    const posted = { url: 'https://other.example/sent', userAgent: 'Reader/3', acceptLanguage: null };
    const response = await gateway.send('POST', subscriptions, posted);
    const answer = (await response.json()) as object;
    expect([response.status, answer]).toMatchObject([200, { id: 'sends', userAgent: 'Reader/3' }]);
    expect(answer).not.toHaveProperty('acceptLanguage');
    expect(await stored('sends')).not.toHaveProperty('acceptLanguage');
  });

  test('is part of a command', async () => {
    const data = { collection: 'readers', subscription: 'told', url: 'https://feeds.example/told' };
    const credentials = { kind: 'headers', headers: { Cookie: `session=${secret}` } };
    const job = await commands.add('subscribe', { ...data, ...named, credentials });
    await until(
      async () => (await gateway.store.subscriptions.find(readers, subscriptionId('told'))) !== undefined,
    );
    expect(await stored('told')).toMatchObject(named);
    expect(await given('told')).toEqual(credentials);
    expect(JSON.stringify((await commands.getJob(job.id ?? '')) ?? {})).not.toContain(secret);
  });

  test('has cookies as credentials, which are not shown', async () => {
    const credentials = { kind: 'headers', headers: { Cookie: `session=${secret}; consent=1` } };
    const shown = await put('cookies', { url: 'https://feeds.example/cookies', credentials });
    expect(shown).toMatchObject({ credentials: { kind: 'headers' } });
    expect(await given('cookies')).toEqual(credentials);
  });

  test.each([
    [{ userAgent: 'a\r\nX-Other: 1' }, 'body.userAgent'],
    [{ userAgent: '' }, 'body.userAgent'],
    [{ userAgent: 'L\u00e4ser' }, 'body.userAgent'],
    [{ userAgent: 'x'.repeat(501) }, 'body.userAgent'],
    [{ acceptLanguage: 'de\n' }, 'body.acceptLanguage'],
    [{ acceptLanguage: 'de_DE' }, 'body.acceptLanguage'],
    [{ acceptLanguage: 'de,'.repeat(70) }, 'body.acceptLanguage'],
    [{ credentials: { kind: 'headers', headers: { Cookie: secret } } }, 'body.credentials.headers.Cookie'],
  ])('is refused if it is wrong: %j', async (body, path) => {
    for (const method of ['PUT', 'PATCH'] as const) {
      const problem = await problemIn(
        await gateway.send(method, `${subscriptions}/wrong`, method === 'PUT' ? { url, ...body } : body),
      );
      expect(problem).toMatchObject({ status: 400, rule: 'invalid-input' });
      expect(problem.detail).toContain(path);
      expect(JSON.stringify(problem)).not.toContain(secret);
    }
  });
});

describe('a command with credentials', () => {
  test('subscribes with them', async () => {
    const data = { collection: 'readers', subscription: 'sent', url: 'https://feeds.example/s' };
    await commands.add('subscribe', { ...data, credentials: bearer });
    await until(
      async () => (await gateway.store.subscriptions.find(readers, subscriptionId('sent'))) !== undefined,
    );
    expect(await given('sent')).toEqual(bearer);
  });

  test.each([
    ['no collection', { collection: 'missing', url, credentials: basic }, 'basic'],
    ['a URL with them', { collection: 'missing', url: `https://ann:${secret}@feeds.example/` }, 'basic'],
    [
      'wrong ones',
      { collection: 'missing', url, credentials: { kind: 'bearer', token: `${secret} ` } },
      'removed',
    ],
    ['an unknown name', { collection: 'missing', credentials: basic }, 'removed'],
  ])('that is refused (%s) leaves them in neither Redis nor the dead letters', async (what, data, kind) => {
    const name = what === 'an unknown name' ? 'subscribed' : 'subscribe';
    const job = await commands.add(name, data);
    const failed = await until(
      async () =>
        (await commands.getJob(job.id ?? ''))?.failedReason !== undefined && commands.getJob(job.id ?? ''),
    );
    const letters = await (await gateway.send('GET', '/v1/dead-letters?collection=missing')).text();
    expect(letters).toContain('"collection":"missing"');
    for (const text of [JSON.stringify(failed), letters]) expect(text).not.toContain(secret);
    expect((failed as { data: unknown }).data).toMatchObject({ credentials: { kind } });
  });
});

test('reseal encrypts everything under the first key, and names what it can not read', async () => {
  await put('old', { url: 'https://feeds.example/o', credentials: basic });
  const environment = { ...process.env, MONGODB_URI: gateway.mongodbUri };
  const reseal = async (keys: string): Promise<{ code: number; out: string }> => {
    const io = memoryIo({ environment: { ...environment, CREDENTIALS_KEYS: keys } });
    const code = await run(['reseal'], io);
    return { code, out: io.out() };
  };
  expect((await reseal(`two:${second}`)).out).toMatch(
    /readers\/old: the credentials were encrypted with the key "one", .*\[credentials-key\]\n/,
  );
  const both = `two:${second},${own}`;
  const { code, out } = await reseal(both);
  expect([code, out]).toEqual([0, expect.stringMatching(/^[1-9]\d* encrypted under "two", 0 unreadable\n$/)]);
  expect((await stored('old')).credentials?.key).toBe('two');
  expect(await given('old', parseCredentialKeys(`two:${second}`))).toEqual(basic);
  expect((await reseal(both)).out).toBe('0 encrypted under "two", 0 unreadable\n');
});
