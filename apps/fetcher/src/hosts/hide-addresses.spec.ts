import { afterEach, expect, test } from '@jest/globals';
import { lookup as systemLookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { createHttpFetch } from '#http-fetch';
import { failureCause, FetchError } from '#core';
import { serveHttp } from '../../../../test/acceptance/http/local-server.ts';
import { hideAddresses } from './hide-addresses.ts';

let ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends) await end();
  ends = [];
});

const resolvesTo =
  (...addresses: string[]): LookupFunction =>
  (_host, _options, callback) =>
    callback(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    );

const failsWith =
  (code: string): LookupFunction =>
  (host, _options, callback) =>
    callback(Object.assign(new Error(`getaddrinfo ${code} ${host}`), { code, syscall: 'getaddrinfo' }), []);

interface Circumstances {
  readonly port?: number;
  readonly allowNetworks?: readonly string[];
  readonly verb?: 'get' | 'post';
  readonly times?: number;
}

/** What a request to `http://vm.example:PORT/` comes to, and what is logged. */
async function failureBy(
  lookup: LookupFunction,
  { port = 9, allowNetworks = [], verb = 'get', times = 1 }: Circumstances = {},
): Promise<{ error: FetchError; logged: string[] }> {
  const logged: string[] = [];
  const network = createHttpFetch({ lookup, allowNetworks });
  ends.push(() => network.close());
  const http = hideAddresses(network, (detail) => void logged.push(detail));
  const url = `http://vm.example:${port}/`;
  let error: unknown;
  for (let count = 0; count < times; count += 1)
    error = await (verb === 'get' ? http.get({ url }) : http.post({ url, form: {} })).catch(
      (failure: unknown) => failure,
    );
  if (!(error instanceof FetchError)) throw new Error(`It did not fail: ${String(error)}`);
  return { error, logged };
}

const shown = ({ rule, message, host, status, cause }: FetchError): unknown => ({
  rule,
  message,
  host,
  status,
  cause,
  word: failureCause({ rule, cause }),
});

test.each(['get', 'post'] as const)(
  'a %s fails in the same way, whatever a name stands for that must not be dialled',
  async (verb) => {
    const outcomes = [
      resolvesTo('127.0.0.1'),
      resolvesTo('10.1.2.3'),
      resolvesTo('::1'),
      resolvesTo('::ffff:192.168.1.1'),
      resolvesTo('169.254.169.254'),
      resolvesTo('198.51.100.7', '10.1.2.3'),
      failsWith('ENOTFOUND'),
      failsWith('EAI_AGAIN'),
      failsWith('EAI_FAIL'),
    ].map(async (lookup) => shown((await failureBy(lookup, { verb })).error));
    const [first, ...others] = await Promise.all(outcomes);
    expect(first).toMatchObject({ rule: 'host-unresolved', host: 'vm.example:9', word: 'dns' });
    for (const other of others) expect(other).toEqual(first);
  },
);

test('what is left out is logged once', async () => {
  const { logged } = await failureBy(resolvesTo('10.1.2.3'), { times: 3 });
  expect(logged).toEqual([expect.stringContaining('10.1.2.3 is not a public address')]);
  expect((await failureBy(failsWith('ENOTFOUND'))).logged).toEqual([
    'vm.example:9: getaddrinfo ENOTFOUND vm.example',
  ]);
});

test('a connection that a name led to fails without its address', async () => {
  const server = await serveHttp(() => {});
  await server.close();
  const allowNetworks = ['127.0.0.0/8'];
  const { error, logged } = await failureBy(resolvesTo('127.0.0.1'), { port: server.port, allowNetworks });
  expect(error.message).toBe(`http://vm.example:${server.port}/: connect ECONNREFUSED`);
  expect(failureCause(error)).toBe('refused');
  expect(logged[0]).toContain('127.0.0.1');
});

test('an address in the URL is named in its refusal', async () => {
  const network = createHttpFetch({ lookup: systemLookup });
  ends.push(() => network.close());
  const http = hideAddresses(network, () => {});
  await expect(http.get({ url: 'http://[::1]:9/' })).rejects.toMatchObject({
    rule: 'address-refused',
    message: expect.stringContaining('is not a public address'),
  });
});
