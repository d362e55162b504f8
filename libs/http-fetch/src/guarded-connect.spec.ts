import type { LookupFunction } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { serveHttp } from '../../../test/acceptance/http/local-server.ts';
import type { LocalServer } from '../../../test/acceptance/http/local-server.ts';
import { AddressGuard } from './address-guard.ts';
import { guardedConnect } from './guarded-connect.ts';
import { createHttpFetch } from './http-fetch.ts';
import type { HttpFetchSettings } from './settings.ts';

let server: LocalServer;
let location = '';
beforeAll(async () => {
  server = await serveHttp((request, response) => {
    if (request.url === '/redirect') response.writeHead(302, { location }).end();
    else response.end('<feed/>');
  });
});
afterAll(() => server.close());

async function get(url: string, settings: Partial<HttpFetchSettings> = {}): Promise<string> {
  const http = createHttpFetch(settings);
  try {
    const response = await http.get({ url });
    if (response.status === 'ok') for await (const _ of response.body);
    return response.url;
  } finally {
    await http.close();
  }
}

/** A resolver that returns the next of the answers on each call. */
function resolver(...answers: string[][]): LookupFunction & { asked: number } {
  const lookup: LookupFunction & { asked: number } = Object.assign(
    (...[, , callback]: Parameters<LookupFunction>) => {
      const answer = answers[Math.min(lookup.asked, answers.length - 1)] ?? [];
      lookup.asked += 1;
      callback(
        null,
        answer.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
      );
    },
    { asked: 0 },
  );
  return lookup;
}

describe('what is dialled', () => {
  test.each([
    '127.0.0.1',
    '2130706433',
    '0x7f000001',
    '017700000001',
    '0x7f.1',
    '127.1',
    '127.0.0.1.',
    '１２７.0.0.1',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[64:ff9b::7f00:1]',
    '[::1]',
    '0',
    '169.254.169.254',
  ])('%s is refused before anything is connected', async (host) => {
    const before = server.connections();
    await expect(get(`http://${host}:${server.port}/`)).rejects.toMatchObject({ rule: 'address-refused' });
    expect(server.connections()).toBe(before);
  });

  test('an address with a zone is no URL', async () => {
    await expect(get('http://[fe80::1%25eth0]/')).rejects.toMatchObject({ rule: 'url' });
  });

  test('an allowed network is reached in every notation', async () => {
    const settings = { allowNetworks: ['127.0.0.0/8'] };
    expect(await get(`http://2130706433:${server.port}/`, settings)).toBe(`${server.origin}/`);
    expect(await get(`http://[::ffff:127.0.0.1]:${server.port}/`, settings)).toBe(
      `http://[::ffff:7f00:1]:${server.port}/`,
    );
  });

  test('a name of this machine is refused by its address', async () => {
    const address = `http://localhost:${server.port}/`;
    await expect(get(address)).rejects.toThrow(`${address}: localhost was not dialled: `);
    await expect(get(address)).rejects.toThrow(
      /: (127\.0\.0\.1|::1) is not a public address \(loopback, (127\.0\.0\.0\/8|::1\/128)\)/,
    );
  });

  test('a name with one bad address among good ones is refused', async () => {
    const lookup = resolver(['127.0.0.1', '10.0.0.1']);
    await expect(
      get(`http://feeds.example:${server.port}/`, { allowNetworks: ['127.0.0.1/32'], lookup }),
    ).rejects.toThrow('10.0.0.1 is not a public address (private, 10.0.0.0/8)');
  });

  test('the name of a metadata service is refused by its address', async () => {
    const http = { allowNetworks: ['169.254.0.0/16'], lookup: resolver(['169.254.169.254']) };
    await expect(get('http://metadata.google.internal/computeMetadata/v1/', http)).rejects.toThrow(
      'metadata.google.internal was not dialled: 169.254.169.254 is the metadata service of AWS, Azure, ' +
        'Google Cloud',
    );
  });

  test(
    'the address that was checked is the one that is dialled, so a name that changes afterwards gains ' +
      'nothing',
    async () => {
      const lookup = resolver(['127.0.0.1'], ['10.0.0.1']);
      const before = server.connections();
      expect(
        await get(`http://feeds.example:${server.port}/`, { allowNetworks: ['127.0.0.1/32'], lookup }),
      ).toBe(`http://feeds.example:${server.port}/`);
      expect([server.connections() - before, lookup.asked]).toEqual([1, 1]);
      await expect(
        get(`http://feeds.example:${server.port}/`, { allowNetworks: ['127.0.0.1/32'], lookup }),
      ).rejects.toMatchObject({ rule: 'address-refused' });
    },
  );

  test.each([
    'http://127.0.0.2/',
    'http://169.254.169.254/latest/meta-data/',
    'http://[::1]/',
    'http://2130706434/',
    '//0x0a000001/',
  ])('a redirect to %s is refused although the first address was allowed', async (to) => {
    location = to;
    await expect(get(`${server.origin}/redirect`, { allowNetworks: ['127.0.0.1/32'] })).rejects.toMatchObject(
      { rule: 'address-refused' },
    );
  });

  test.each(['file:///etc/passwd', 'ftp://feeds.example/', 'gopher://127.0.0.1/'])(
    'a redirect to %s is refused',
    async (to) => {
      location = to;
      await expect(
        get(`${server.origin}/redirect`, { allowNetworks: ['127.0.0.1/32'] }),
      ).rejects.toMatchObject({ rule: 'url-scheme' });
    },
  );

  test('the connected socket is checked once more and closed if it leads elsewhere', async () => {
    class SecondThoughts extends AddressGuard {
      readonly seen: string[] = [];
      override check(address: string, host: string): void {
        this.seen.push(address);
        if (this.seen.length > 1) super.check(address, host);
      }
    }
    const guard = new SecondThoughts([]);
    const error = await new Promise((resolve) => {
      guardedConnect(guard, 10)(
        { hostname: '127.0.0.1', protocol: 'http:', port: String(server.port) },
        (...outcome) => resolve(outcome[0]),
      );
    });
    expect(error).toMatchObject({ rule: 'address-refused' });
    expect(guard.seen).toEqual(['127.0.0.1', '127.0.0.1']);
  });
});
