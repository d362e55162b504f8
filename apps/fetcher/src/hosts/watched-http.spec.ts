import { describe, expect, test } from '@jest/globals';
import { endBody, FetchError } from '#core';
import type { FetchResponse } from '#core';
import { watchHosts } from './watched-http.ts';

async function readAll(body: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const piece of body) expect(piece).toHaveLength(1);
}

/**
 * What is recorded of hosts after one request to `http://a.example/`, of which `read` does something with
 * the body.
 */
async function recorded(
  get: () => Promise<FetchResponse>,
  read: (body: AsyncIterable<Uint8Array>) => Promise<unknown> = readAll,
): Promise<string[]> {
  const records: string[] = [];
  const hosts = {
    succeeded: (host: string) => void records.push(`${host} succeeded`),
    failed: (host: string, reason: string) => void records.push(`${host} failed: ${reason}`),
  };
  try {
    const response = await watchHosts({ get }, hosts).get({ url: 'http://a.example/' });
    if (response.status === 'ok') await read(response.body);
  } catch (error) {
    expect(error).toBeInstanceOf(FetchError);
  }
  return records;
}

const ok = (pieces: () => AsyncGenerator<Uint8Array>): Promise<FetchResponse> =>
  Promise.resolve({ status: 'ok', url: 'http://b.example:8080/', freshness: {}, body: pieces() });
const failing = (rule: string, details: ConstructorParameters<typeof FetchError>[2] = {}) =>
  recorded(() => Promise.reject(new FetchError(rule, 'why', details)));

async function* whole(): AsyncGenerator<Uint8Array> {
  yield Buffer.from('a');
}

async function* broken(): AsyncGenerator<Uint8Array> {
  yield Buffer.from('a');
  throw new FetchError('http-timeout', 'silent', { host: 'b.example:8080' });
}

describe('the host that answered in the end', () => {
  test('has succeeded once its body was read, and not before', async () => {
    expect(
      await recorded(
        () => ok(whole),
        async () => {},
      ),
    ).toEqual([]);
    expect(await recorded(() => ok(whole))).toEqual(['b.example:8080 succeeded']);
    expect(await recorded(() => ok(whole), endBody)).toEqual(['b.example:8080 succeeded']);
  });

  test('has succeeded with 304', async () => {
    const response: FetchResponse = { status: 'not-modified', url: 'http://a.example/', freshness: {} };
    expect(await recorded(() => Promise.resolve(response))).toEqual(['a.example succeeded']);
  });

  test('has failed if its body breaks off, whatever is done with it then', async () => {
    const read = async (body: AsyncIterable<Uint8Array>): Promise<void> => {
      await expect(readAll(body)).rejects.toThrow(FetchError);
      await endBody(body);
    };
    expect(await recorded(() => ok(broken), read)).toEqual(['b.example:8080 failed: silent']);
  });
});

describe('a request without a response that can be used', () => {
  test.each([
    ['connection', {}],
    ['http-timeout', {}],
    ['http-status', { status: 500 }],
    ['http-status', { status: 503, retryAfter: 5 }],
    ['http-status', { status: 429 }],
  ])('is a failure of its host for %s %j', async (rule, details) => {
    expect(await failing(rule, details)).toEqual(['a.example failed: why']);
    expect(await failing(rule, { ...details, host: 'b.example' })).toEqual(['b.example failed: why']);
  });

  test.each([404, 403, 410, 304])('is none for the status %i, which is an answer', async (status) => {
    expect(await failing('http-status', { status })).toEqual(['a.example succeeded']);
  });

  test.each(['address-refused', 'redirects', 'body-too-large', 'host-busy', 'host-paused'])(
    'says nothing for %s',
    async (rule) => {
      expect(await failing(rule)).toEqual([]);
    },
  );
});
